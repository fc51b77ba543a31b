"""The settings of a run for tapes, as plain data."""

from typing import Literal, TypeAlias

from msgspec import Struct

TAPES_ONLY = "tapes_only"
"""Marks a proxy that only records and replays, and adds nothing to the agent's answers."""
DriftRule: TypeAlias = Literal["warn", "fail", "ignore"]


class TapeSettings(Struct, frozen=True, kw_only=True):
    """The options of a run about tapes."""

    record: str | None = None
    """The folder into which every call is recorded."""
    replay: str | None = None
    """The folder from which calls are answered."""
    record_missing: bool = False
    """Whether calls that no tape has are made and recorded."""
    replay_only: bool = False
    """Whether no outgoing connection may be opened."""
    fresh_judges: bool = False
    """Whether judges are asked again instead of replayed."""
    drift: DriftRule = "warn"

    @property
    def is_on(self) -> bool:
        return self.record is not None or self.replay is not None

    @property
    def needs_no_keys(self) -> bool:
        """Whether no model is called."""
        return self.replay is not None and not self.record_missing

    @property
    def folder(self) -> str:
        return self.replay or self.record or ""
