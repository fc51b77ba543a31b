"""Runs in a history store, written by the real reporter."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import structs
from tests.fakes.results import run_info, summary_of

from vivavoce.model.events import CaseFinished, Event, RunFinished, RunStarted
from vivavoce.model.message import AgentReply
from vivavoce.model.result import CaseResult, RunInfo, Status
from vivavoce.model.tally import Tally
from vivavoce.results.history.recorder import MOST_BYTES, HistoryReporter


def info_named(run_id: str, total: int = 1, **more: Any) -> RunInfo:
    return structs.replace(run_info(total), run_id=run_id, **more)


class CountingKeeper(HistoryReporter):
    """Counts what it is told before it keeps it, as a run does."""

    def __init__(self, store: Path, *, keep: int = 50, most_bytes: int = MOST_BYTES):
        super().__init__(store, totals=lambda: self._tally.summary(), keep=keep, most_bytes=most_bytes)
        self._tally = Tally()

    def handle(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self._tally = Tally(event.info.total_cases)
        elif isinstance(event, CaseFinished):
            self._tally.add(event.result)
        super().handle(event)


def start_run(store: Path, run_id: str, total: int, **more: Any) -> HistoryReporter:
    """A run that goes on: hand it CaseFinished and RunFinished."""
    reporter = CountingKeeper(store)
    reporter.handle(RunStarted(info_named(run_id, total, **more)))
    return reporter


def kept_with(store: Path, run_id: str, results: Iterable[CaseResult], **bounds: Any) -> HistoryReporter:
    """A run from beginning to end, kept within bounds; its reporter says what went wrong."""
    listed = list(results)
    reporter = CountingKeeper(store, **bounds)
    reporter.handle(RunStarted(info_named(run_id, len(listed))))
    for result in listed:
        reporter.handle(CaseFinished(result))
    reporter.handle(RunFinished(info_named(run_id, len(listed)), summary_of(listed)))
    reporter.close()
    return reporter


def keep_run(store: Path, run_id: str, results: Iterable[CaseResult], **more: Any) -> None:
    """A run from beginning to end; `more` are fields of its RunInfo."""
    listed = list(results)
    reporter = start_run(store, run_id, len(listed), **more)
    for result in listed:
        reporter.handle(CaseFinished(result))
    reporter.handle(RunFinished(info_named(run_id, len(listed), **more), summary_of(listed)))
    reporter.close()
    assert reporter.problem is None


def changed(result: CaseResult, *, status: Status | None = None, says: str | None = None, ms: float | None = None):
    """The same case, having gone differently."""
    (attempt,) = result.attempts
    if status is not None:
        attempt = structs.replace(attempt, status=status, error=None if status is Status.PASSED else "it went wrong")
    if ms is not None:
        attempt = structs.replace(attempt, duration_ms=ms)
    if says is not None:
        turns = attempt.transcript.turns
        last = structs.replace(turns[-1], reply=AgentReply(text=says))
        attempt = structs.replace(attempt, transcript=structs.replace(attempt.transcript, turns=(*turns[:-1], last)))
    return structs.replace(result, status=status or result.status, attempts=(attempt,))


def begun(result: CaseResult, second: int) -> CaseResult:
    """The same result, begun so many seconds later: facts are told apart by when they began."""
    attempts = tuple(structs.replace(one, started_ms=one.started_ms + 1000 * second) for one in result.attempts)
    return structs.replace(result, attempts=attempts)
