"""What the store keeps, as plain data."""

import zlib
from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from vivavoce.model.result import RunInfo, Summary


class RunState(StrEnum):
    RUNNING = "running"
    FINISHED = "finished"
    KILLED = "killed"
    """It neither ended nor is it there any more."""


class KeptRun(Struct, frozen=True, kw_only=True):
    """A run as the store knows it."""

    info: RunInfo
    summary: Summary
    """As the run ended; of what was kept so far, when it did not."""
    state: RunState
    results: int = 0
    revision: str | None = None
    """The commit that was checked out."""


def packed(lines: Iterable[bytes]) -> bytes:
    """Lines of JSON as they are kept: each with its end, except the last."""
    return zlib.compress(memoryview(b"".join(lines))[:-1], 1)


def unpacked(body: bytes) -> list[bytes]:
    return zlib.decompress(body).split(b"\n")
