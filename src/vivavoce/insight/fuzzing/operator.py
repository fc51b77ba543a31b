"""What a fuzz operator is: a named, seeded change of one line."""

from collections.abc import Callable
from random import Random
from typing import Literal

from msgspec import Struct

Kind = Literal["meaning", "hostile"]
"""`meaning`: the line still means the same, so the case's own checks must hold. `hostile`: the universal rules must."""
Change = Callable[[str, Random], str]


class Operator(Struct, frozen=True):
    name: str
    kind: Kind
    change: Change
    """Returns the changed line, or the same line when there is nothing to change."""
    in_edits: bool = False
    """Whether it makes several small edits that can be undone one by one."""

    @property
    def about(self) -> str:
        return (self.change.__doc__ or "").strip().rstrip(".")
