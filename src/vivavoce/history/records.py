"""What the store keeps, as plain data."""

import zlib
from enum import StrEnum
from hashlib import blake2b

from msgspec import Struct

from vivavoce.model.json_value import text_of
from vivavoce.model.result import CaseResult, RunInfo, Status, Summary

_SMALL = 2_048
_OPENING = b"{"


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


class CaseOutcome(Struct, frozen=True):
    """What comparing needs to know of a case; two runs of 100,000 of them fit in memory."""

    key: str
    id: str
    name: str | None
    status: Status
    duration_ms: float
    runs: int
    """How often it was judged: skipped runs do not count."""
    passed: int
    said: str
    """A fingerprint of all the agent said."""


def outcome_of(result: CaseResult) -> CaseOutcome:
    judged = [attempt for attempt in result.attempts if attempt.status is not Status.SKIPPED]
    stability = result.stability
    return CaseOutcome(
        key=result.case.key,
        id=result.case.id,
        name=result.case.name,
        status=result.status,
        duration_ms=round(stability.avg_duration_ms if stability else result.decisive.duration_ms, 3),
        runs=len(judged),
        passed=sum(attempt.status is Status.PASSED for attempt in judged),
        said=_fingerprint(result),
    )


def packed(row: bytes) -> bytes:
    """A row as it is kept: small ones as they are."""
    return row if len(row) < _SMALL else zlib.compress(row, 1)


def unpacked(body: bytes) -> bytes:
    return body if body.startswith(_OPENING) else zlib.decompress(body)


def _fingerprint(result: CaseResult) -> str:
    said = blake2b(digest_size=8)
    for turn in result.decisive.transcript.turns:
        said.update(text_of(turn.reply.output).encode("utf-8", "surrogatepass"))
        said.update(b"\x1e")
    return said.hexdigest()
