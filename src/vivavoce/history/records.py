"""What the store keeps, as plain data."""

import zlib
from collections.abc import Iterable
from enum import StrEnum
from hashlib import blake2b

from msgspec import Struct

from vivavoce.model.json_value import text_of
from vivavoce.model.result import CaseResult, RunInfo, Status, Summary


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
    decisive, stability, case = result.decisive, result.stability, result.case
    judged = [attempt for attempt in result.attempts if attempt.status is not Status.SKIPPED]
    said = "\x1e".join([text_of(turn.reply.output) for turn in decisive.transcript.turns])
    return CaseOutcome(
        key=case.key,
        id=case.id,
        name=case.name,
        status=result.status,
        duration_ms=round(stability.avg_duration_ms if stability else decisive.duration_ms, 3),
        runs=len(judged),
        passed=len([attempt for attempt in judged if attempt.status is Status.PASSED]),
        said=blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
    )


def packed(lines: Iterable[bytes]) -> bytes:
    """Lines of JSON as they are kept."""
    return zlib.compress(b"\n".join(lines), 1)


def unpacked(body: bytes) -> list[bytes]:
    return zlib.decompress(body).split(b"\n")
