"""One more check in a case file, as a change of its text."""

from typing import Literal

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject

LISTS = {"assertions": ("assertions", "assert"), "final_assertions": ("final_assertions",)}
"""The keys that hold the checks of a case or turn, in the order in which they are tried."""


class AddedCheck(Struct, frozen=True):
    """A check, and where in its case it belongs."""

    check: JsonObject
    turn: int | None = None
    """The number of a scripted turn (from 1); None: the whole case."""
    field: Literal["assertions", "final_assertions"] = "assertions"

    @property
    def text(self) -> str:
        """As JSON, which every case file can hold."""
        return msgspec.json.encode(self.check).decode()


class CannotInsert(Exception):
    """The layout of the text does not allow a safe insertion."""
