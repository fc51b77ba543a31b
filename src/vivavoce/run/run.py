"""Cases → event stream: jobs go to the executor, attempts come back, each case is told once."""

import asyncio
from collections.abc import Callable

from vivavoce.errors import VivaError
from vivavoce.model.events import CaseFinished, Event, RunFinished, RunStarted
from vivavoce.model.result import Attempt, CaseResult, RunInfo, Status, Summary
from vivavoce.protocols import Executor, Job, Work
from vivavoce.run.plan import Plan
from vivavoce.run.stability import stability_of
from vivavoce.tally import Tally


class Stop(Exception):
    """The run is to end now; what finished is kept."""


class Run:
    """One run. `stop()` ends it early from outside (Ctrl-C)."""

    def __init__(self, plan: Plan, info: RunInfo, emit: Callable[[Event], None], *, max_failures: int | None) -> None:
        self._plan = plan
        self._info = info
        self._emit = emit
        self._max_failures = max_failures
        self._tally = Tally(plan.selected)
        self._unfinished: dict[int, list[tuple[Job, Attempt]]] = {}
        self._stopped: str | None = None
        self._task: asyncio.Task[None] | None = None

    async def execute(self, executor: Executor, work: Work) -> Summary:
        """Runs everything; returns the totals. Events are emitted as things happen."""
        self._emit(RunStarted(self._info))
        self._task = asyncio.ensure_future(executor.run(self._plan.jobs(), work, self._done))
        try:
            await self._task
        except* Stop:
            pass
        except* asyncio.CancelledError:
            if self._stopped is None:
                raise
        except* VivaError as problems:
            raise first_of(problems) from None
        for index in sorted(self._unfinished):
            self._finish(index)
        summary = self._tally.summary(self._stopped)
        self._emit(RunFinished(self._info, summary))
        return summary

    def stop(self, why: str) -> None:
        """Cancels what is running. Finished cases stay finished."""
        self._stopped = self._stopped or why
        if self._task is not None:
            self._task.cancel()

    def _done(self, job: Job, attempt: Attempt) -> None:
        if job.runs == 1:
            self._tell(job, (attempt,))
            return
        attempts = self._unfinished.setdefault(job.index, [])
        attempts.append((job, attempt))
        if len(attempts) == job.runs:
            self._finish(job.index)

    def _finish(self, index: int) -> None:
        attempts = sorted(self._unfinished.pop(index), key=lambda pair: pair[0].run)
        self._tell(attempts[0][0], tuple(attempt for _, attempt in attempts))

    def _tell(self, job: Job, attempts: tuple[Attempt, ...]) -> None:
        result = result_of(job, attempts)
        self._tally.add(result)
        self._emit(CaseFinished(result))
        if self._max_failures is not None and self._tally.unsuccessful >= self._max_failures and not self._stopped:
            self._stopped = "fail-fast"
            raise Stop


def first_of(problems: BaseExceptionGroup[VivaError]) -> VivaError:
    """The workers' group, taken apart: one problem is enough to stop for."""
    inner = problems.exceptions[0]
    return first_of(inner) if isinstance(inner, BaseExceptionGroup) else inner


def result_of(job: Job, attempts: tuple[Attempt, ...]) -> CaseResult:
    """A case's word over all its runs: enough of them must pass (`min_pass`, by default all)."""
    if job.runs == 1:
        return CaseResult(case=job.case, status=attempts[0].status, attempts=attempts, index=job.index)
    counted = [a for a in attempts if a.status is not Status.SKIPPED]
    passed = sum(a.status is Status.PASSED for a in counted)
    needed = job.case.min_pass or len(counted)
    if not counted:
        status = Status.SKIPPED
    elif passed >= needed:
        status = Status.PASSED
    else:
        status = next((a.status for a in counted if a.status is not Status.PASSED), Status.FAILED)
    return CaseResult(
        case=job.case, status=status, attempts=attempts, stability=stability_of(attempts), index=job.index
    )
