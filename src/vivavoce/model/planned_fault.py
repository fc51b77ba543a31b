"""A failure that a test injects, and where."""

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.json_value import JsonObject, JsonValue

FaultPlace: TypeAlias = Literal["model", "tool", "stream"]
KINDS: dict[str, tuple[str, ...]] = {
    "model": (
        "429",
        "500",
        "502",
        "503",
        "529",
        "slow",
        "stall",
        "cut",
        "malformed",
        "refusal",
        "empty",
        "length",
        "context_length",
    ),
    "tool": ("error", "timeout", "empty", "result", "unknown_field", "huge"),
    "stream": ("stall", "cut", "malformed"),
}
"""What can go wrong, by where it does."""


class PlannedFault(Struct, frozen=True, kw_only=True, omit_defaults=True):
    at: FaultPlace
    kind: str
    """One of KINDS."""
    name: str = ""
    """Of the tool."""
    nth: int = 1
    """Which of the matching calls fails: the first, the second, …"""
    args: JsonObject = {}
    """For a tool: only calls with these arguments match."""
    message: str = ""
    """What the failure says."""
    result: JsonValue | UnsetType = UNSET
    """What the tool returns, for the kind `result`."""
    seconds: float | None = None
    """How long it takes: for `slow`, `stall` and `timeout`; for 429, how long the server asks to wait."""
    rate: float | None = None
    """The chance that a matching call fails, instead of a position."""
    seed: int = 0

    def __str__(self) -> str:
        """As `--fault` takes it: `model:429@2`, `tool:refund:error`."""
        named = f"{self.at}:{self.name}:{self.kind}" if self.name else f"{self.at}:{self.kind}"
        return named if self.nth == 1 else f"{named}@{self.nth}"
