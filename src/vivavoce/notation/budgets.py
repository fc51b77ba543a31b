"""Parses budgets of a run: `2.50usd`, `200ktok`."""

import re

from msgspec import Struct

from vivavoce.errors import UsageError

_AMOUNT = r"(\d+(?:\.\d+)?)"
# Compiled at the first use: most runs have no budget.
_TOKENS = rf"{_AMOUNT}\s*+([kM]?)\s*+tok(?:ens?)?"
_MONEY = rf"([$€£¥])\s*{_AMOUNT}|{_AMOUNT}\s*([$€£¥]|[A-Za-z]{{3}})"
_TIMES = {"": 1, "k": 1_000, "M": 1_000_000}


class Allowance(Struct, frozen=True):
    """The most a run may spend, in the currency of the price list. Nothing is converted."""

    amount: float
    unit: str
    """`tokens`, or the currency as written."""

    @property
    def is_money(self) -> bool:
        return self.unit != "tokens"


def parse_budget(text: str, at: str = "--budget") -> Allowance:
    """`2.50usd`, `2.50€`, `$2.50`, `200000tok`, `200ktok`."""
    if found := re.fullmatch(_TOKENS, text.strip()):
        allowance = Allowance(float(found[1]) * _TIMES[found[2]], "tokens")
    elif found := re.fullmatch(_MONEY, text.strip()):
        allowance = Allowance(float(found[2] or found[3]), found[1] or found[4])
    else:
        raise UsageError(f"bad budget {text!r}", at=at, hint="write it like 2.50usd, 2.50€ or 200000tok")
    if allowance.amount == 0:
        raise UsageError("a budget of 0 lets no case run", at=at)
    return allowance
