"""Cases → event stream: jobs go to the executor, attempts come back, each case is reported once."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from msgspec import structs

from vivavoce.engine.not_run import not_run, unfinished
from vivavoce.engine.plan.plan import Plan
from vivavoce.engine.repeats import Repeats
from vivavoce.engine.result_batcher import ResultBatcher
from vivavoce.engine.silent_tools import SilentTools
from vivavoce.engine.spending import Budgets
from vivavoce.errors import VivaError
from vivavoce.model.case import Case
from vivavoce.model.events import CaseFinished, CaseKept, Event, RunFinished, RunStarted
from vivavoce.model.result import NOT_JUDGED, UNSUCCESSFUL, Attempt, CaseResult, RunInfo, Status, Summary
from vivavoce.model.tally import Tally
from vivavoce.protocols import Executor, Job, Work
from vivavoce.results.rows import row_line
from vivavoce.snapshots.book import SnapshotBook

if TYPE_CHECKING:
    from vivavoce.engine.snapshot_settling import SnapshotSettling

CTRL_C = "ctrl-c"
BUDGET = "budget"
TIME_LIMIT = "time limit"
GENTLE_STOPS = (BUDGET, TIME_LIMIT)
"""Why a run may begin no further case while those that run come to their end."""
_AT_ONCE = 256
_SKIPPED = Status.SKIPPED


class Stop(Exception):
    """Ends the run now; finished results are kept."""


class EarlierResults(Protocol):
    """The results of an unfinished run that are still valid; results/resume.py reads them."""

    def results(self) -> Iterator[CaseKept]: ...

    def __contains__(self, case: Case, /) -> bool: ...


class ResultMarking(Protocol):
    """Marks the results of cases in quarantine and returns warnings about them at the end."""

    def mark(self, result: CaseResult) -> CaseResult: ...

    def warnings(self, *, complete: bool) -> tuple[str, ...]: ...


class Run:
    """One run. `stop()` ends it early from outside (Ctrl-C)."""

    def __init__(
        self,
        plan: Plan,
        info: RunInfo,
        emit: Callable[[Event], None],
        *,
        max_failures: int | None = None,
        early_stop: bool = False,
        spending: Budgets | None = None,
        time_limit_s: float | None = None,
        earlier: EarlierResults | None = None,
        tally: Tally | None = None,
        writes_lines: bool = True,
        line_of: Callable[[CaseResult], bytes] = row_line,
        snapshots: SnapshotBook | None = None,
        quarantine: ResultMarking | None = None,
        more_warnings: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """`tally` counts the results and may be read by others during the run. `writes_lines`: whether somebody wants
        the line of each result; `line_of` makes it. `snapshots` may be written."""
        self._writes_lines = writes_lines
        self._line_of = line_of
        self._plan = plan
        self._info = info
        self._emit = emit
        self._max_failures = max_failures
        self._spending = spending
        self._time_limit_s = time_limit_s
        self._began = 0.0
        self._earlier = earlier
        self._snapshots = snapshots
        self._quarantine = quarantine
        self._more_warnings = more_warnings
        self._settling: SnapshotSettling | None = None
        self._tally = Tally(plan.selected) if tally is None else tally
        self._batcher = ResultBatcher(self._report)
        self._silent_tools = SilentTools()
        self._failures = 0
        self._runs = Repeats(early_stop=early_stop)
        self._begun: dict[int, Case | None] = {}
        """The cases that were begun and not reported yet; None stands for one left out because its budget was spent."""
        self._last_begun = 0
        self._stopped: str | None = None
        self._task: asyncio.Task[None] | None = None

    async def execute(self, executor: Executor, work: Work) -> Summary:
        """Runs everything; returns the totals. Events are emitted as things happen."""
        self._tally.start_clock()
        self._began = perf_counter()
        self._emit(RunStarted(self._info))
        if self._earlier is not None:
            self._take_over(self._earlier)
        self._task = asyncio.ensure_future(self._work_off(executor, work))
        cancelled = False
        try:
            await self._task
        except* Stop:
            pass
        except* asyncio.CancelledError:
            cancelled = self._stopped is None
        except* (VivaError, OSError) as problems:
            raise first_of(problems) from None
        finally:
            self._batcher.flush()
        if cancelled:
            raise asyncio.CancelledError
        why = self._stopped or "stopped"
        for job, attempts in self._runs.rest():
            self._report(unfinished(job, result_of(job, attempts), why))
        if self._stopped is not None:
            await self._report_not_run(why)
        summary = self._tally.summary(self._stopped)
        spending = () if self._spending is None else self._spending.warnings()
        written = () if self._settling is None else self._settling.warnings()
        marked = () if self._quarantine is None else self._quarantine.warnings(complete=self._stopped is None)
        if more := (*spending, *self._silent_tools.warnings(), *written, *marked, *self._more_warnings()):
            summary = structs.replace(summary, warnings=(*summary.warnings, *more))
        self._emit(RunFinished(self._info, summary))
        return summary

    async def _work_off(self, executor: Executor, work: Work) -> None:
        async with asyncio.TaskGroup() as both:
            flushing = both.create_task(self._batcher.flush_regularly())
            await executor.run(self._jobs(), work, self._done)
            flushing.cancel()

    def report_waiting(self) -> None:
        """Reports now what has finished, for a caller that cannot wait for the event loop."""
        self._batcher.flush()

    def in_flight(self, most: int = 20) -> list[str]:
        """Returns the keys of cases that are being run now; may be called from any thread."""
        begun = [case for case in list(self._begun.values()) if case is not None]
        return [case.key for case in begun[:most]]

    def stop(self, why: str) -> None:
        """Cancels what is running. Finished cases stay finished."""
        self._stopped = why if self._stopped in (None, *GENTLE_STOPS) else self._stopped
        if self._task is not None:
            self._task.cancel()

    def _take_over(self, earlier: EarlierResults) -> None:
        for kept in earlier.results():
            result = kept.result
            if self._quarantine is not None:
                self._quarantine.mark(result)
            self._tally.add(result)
            self._silent_tools.add(result)
            if self._spending is not None:
                spending = self._spending.of(result.case)
                for attempt in result.attempts:
                    spending.add(attempt)
            self._emit(kept)

    def _jobs(self) -> Iterator[Job]:
        """Yields the jobs one at a time, so that a stop or a decided case takes effect at once."""
        earlier = self._earlier
        spending = self._spending
        limit_s = self._time_limit_s
        over_budget = False
        for job in self._plan.jobs():
            if earlier is not None and job.case in earlier:
                continue
            if spending is not None and spending.of(job.case).is_over:
                # Running attempts may finish: they are paid for already.
                over_budget = True
                if spending.is_shared:
                    break
                if job.run == 1:
                    self._begun[job.index] = None
                continue
            if limit_s is not None and job.run == 1 and perf_counter() - self._began >= limit_s:
                # A case that was begun comes to its end, all runs of it.
                self._stopped = self._stopped or TIME_LIMIT
                return
            if job.runs == 1 or self._runs.wants(job):
                self._begun[job.index] = job.case
                self._last_begun = job.index
                yield job
        if over_budget:
            self._stopped = self._stopped or BUDGET

    async def _report_not_run(self, why: str) -> None:
        """Reports the cases that a stopped run did not begin or did not finish."""
        for number, job in enumerate(self._plan.jobs()):
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
            if job.run > 1 or (job.index <= self._last_begun and job.index not in self._begun):
                continue
            if self._earlier is None or job.case not in self._earlier:
                self._report(not_run(job, why))

    def _done(self, job: Job, attempt: Attempt) -> None:
        if self._spending is not None:
            self._spending.of(job.case).add(attempt)
        if attempt.status is _SKIPPED and self._snapshots is not None:
            attempt = self._settled(job.case, attempt, self._snapshots)
        attempts = (attempt,) if job.runs == 1 else self._runs.came_in(job, attempt)
        if attempts is None:
            return
        result = result_of(job, attempts)
        if self._quarantine is not None:
            result = self._quarantine.mark(result)
        self._batcher.add(result)
        if result.status in UNSUCCESSFUL and result.quarantine is None:
            self._failed()

    def _settled(self, case: Case, attempt: Attempt, snapshots: SnapshotBook) -> Attempt:
        """Returns the attempt with its new snapshots written, when nothing else keeps it from passing."""
        if self._settling is None:
            from vivavoce.engine.snapshot_settling import SnapshotSettling

            self._settling = SnapshotSettling(snapshots)
        return self._settling(case, attempt)

    def _report(self, result: CaseResult) -> None:
        self._tally.add(result)
        self._silent_tools.add(result)
        self._begun.pop(result.index, None)
        self._emit(CaseFinished(result, self._line_of(result) if self._writes_lines else b""))

    def _failed(self) -> None:
        self._failures += 1
        if self._max_failures is not None and self._failures >= self._max_failures and not self._stopped:
            self._stopped = "fail-fast"
            raise Stop


def first_of(problems: ExceptionGroup[VivaError | OSError]) -> VivaError | OSError:
    """Returns the first exception of a group."""
    inner = problems.exceptions[0]
    return first_of(inner) if isinstance(inner, ExceptionGroup) else inner


def result_of(job: Job, attempts: tuple[Attempt, ...]) -> CaseResult:
    """A case's result over all its runs: enough must pass (`min_pass`, by default all); a skipped one did not."""
    if job.runs == 1 and (job.case.min_pass or 1) == 1:
        return CaseResult(case=job.case, status=attempts[0].status, attempts=attempts, index=job.index)
    from vivavoce.engine.stability import stability_of

    counted = [a for a in attempts if a.status not in NOT_JUDGED]
    passed = sum(a.status is Status.PASSED for a in counted)
    needed = job.case.min_pass or len(attempts)
    if not counted:
        status = Status.SKIPPED
    elif passed >= needed:
        status = Status.PASSED
    else:
        status = next((a.status for a in counted if a.status is not Status.PASSED), Status.FAILED)
    return CaseResult(
        case=job.case, status=status, attempts=attempts, stability=stability_of(attempts), index=job.index
    )
