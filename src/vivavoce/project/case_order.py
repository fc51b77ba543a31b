"""Parses the order of cases (`--order`)."""

import re
from typing import Literal, get_args

from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean

OrderName = Literal["file", "failed-first", "risk", "fast", "random"]
NAMES: tuple[OrderName, ...] = get_args(OrderName)


class Order(Struct, frozen=True):
    name: OrderName
    seed: int | None = None
    """The seed of `random:SEED`; None for a new one each time."""


def parse_order(text: str, at: str = "--order") -> Order:
    """Parses `risk`, `random`, `random:42`. Raises UsageError for an unknown order."""
    found = re.fullmatch(r"([\w-]+)(?::(-?\d{1,18}))?", text.strip())
    name: OrderName | None = next((name for name in NAMES if found and name == found[1]), None)
    if found is None or name is None:
        hint = did_you_mean(text, list(NAMES)) or f"use {', '.join(NAMES[:-1])} or random:SEED"
        raise UsageError(f"unknown order {text!r}", at=at, hint=hint)
    if found[2] is not None and name != "random":
        raise UsageError(f"only the order random has a seed, not {name}", at=at)
    return Order(name, None if found[2] is None else int(found[2]))
