"""What the history keeps, as plain data."""

import zlib
from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from vivavoce.model.result import RunInfo, Summary


class RunState(StrEnum):
    RUNNING = "running"
    FINISHED = "finished"
    KILLED = "killed"
    """The run has no end, and its process is gone."""


class KeptRun(Struct, frozen=True, kw_only=True):
    """A run of the history."""

    info: RunInfo
    summary: Summary
    """The final counts; of a run without an end, the counts so far."""
    state: RunState
    results: int = 0
    revision: str | None = None
    """The commit that was checked out."""
    in_flight: tuple[str, ...] = ()
    """The keys of cases that a live run is at work on; a few of them."""


def packed(lines: Iterable[bytes]) -> bytes:
    """Returns lines of JSON compressed, without the last newline."""
    return zlib.compress(memoryview(b"".join(lines))[:-1], 1)


def unpacked(body: bytes) -> list[bytes]:
    return zlib.decompress(body).split(b"\n")
