"""Runs candidate cases one after the other through the usual loop and judging, for `viva shrink` and `viva fuzz`."""

import time
from types import TracebackType

from msgspec import Struct, structs

from vivavoce.app.request import RunRequest
from vivavoce.app.stepped_run import NotRun, SteppedRun
from vivavoce.engine.spending import Budgets
from vivavoce.insight.shrinking.failure import Failure, failures_of
from vivavoce.insight.shrinking.shrink import EnoughTried
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt
from vivavoce.project.project import Project
from vivavoce.wording.plurals import counted


class CandidateLimits(Struct, frozen=True, kw_only=True):
    """How often a candidate runs, and how many are tried."""

    runs: int = 1
    min_fail: int = 1
    """A candidate must fail in at least so many of its runs."""
    most: int = 200
    """At most so many candidates are tried."""
    time_limit_s: float | None = None


class Counted(Struct, frozen=True):
    """How often a candidate failed in the way that was asked for."""

    failed: int
    attempts: tuple[Attempt, ...]

    @property
    def words(self) -> str:
        return f"{self.failed} of {counted(len(self.attempts), 'run')}"


class Candidates:
    """An async context in which candidates run. Nothing of them is kept in the history."""

    def __init__(
        self,
        request: RunRequest,
        project: Project,
        case: Case,
        limits: CandidateLimits,
        *,
        spending: Budgets | None = None,
    ) -> None:
        """`request` has what viva.yaml says filled in; `case` is what the candidates are made from. `spending` is a
        budget that others spend too."""
        self._limits = limits
        self.min_fail = limits.min_fail
        self._stepped = SteppedRun(_quiet(request, limits), project, [case], spending=spending)
        self._ends_at = None if limits.time_limit_s is None else time.monotonic() + limits.time_limit_s
        self.tried = 0
        self.stopped_by: str | None = None
        """What was used up, in words."""

    async def __aenter__(self) -> "Candidates":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stepped.finish()

    async def count(self, case: Case, failure: Failure | None = None) -> Counted:
        """Runs a candidate and counts how often it failed in this way, or in any where none is given.

        Raises EnoughTried when no more may be tried.
        """
        if self.tried >= self._limits.most:
            tried = counted(self.tried, "conversation was tried", "conversations were tried")
            raise self._enough(f"{tried} (--candidates)")
        if self._time_is_up():
            raise self._enough("the time is up (--time-limit)")
        self.tried += 1
        runs = self._limits.runs
        # So many runs passed that it cannot fail often enough any more.
        candidate = structs.replace(case, runs=runs, min_pass=runs - self._limits.min_fail + 1, skip=None)
        try:
            attempts = (await self._stepped.examine(candidate)).attempts
        except NotRun as problem:
            self.tried -= 1
            raise self._enough(f"{problem.what.removeprefix('not run: ')} (--budget)") from None
        ways = [failures_of(attempt) for attempt in attempts]
        return Counted(sum(bool(way) if failure is None else failure in way for way in ways), attempts)

    async def fails(self, case: Case, failure: Failure) -> Counted | None:
        """Returns the count of a candidate that fails often enough in this way, else None."""
        seen = await self.count(case, failure)
        return seen if seen.failed >= self._limits.min_fail else None

    async def counted_on(self, case: Case, failure: Failure, seen: Counted) -> Counted:
        """Runs the rest of the runs that were left out once the result was clear; fewer where a limit ends it."""
        attempts = list(seen.attempts)
        once = structs.replace(case, runs=1, min_pass=None, skip=None)
        while len(attempts) < self._limits.runs and not self._time_is_up():
            try:
                attempts += (await self._stepped.examine(once)).attempts
            except NotRun:
                break
        return Counted(sum(failure in failures_of(attempt) for attempt in attempts), tuple(attempts))

    def _time_is_up(self) -> bool:
        return self._ends_at is not None and time.monotonic() >= self._ends_at

    def _enough(self, why: str) -> EnoughTried:
        self.stopped_by = why
        return EnoughTried(why)


def _quiet(request: RunRequest, limits: CandidateLimits) -> RunRequest:
    """The request without what is about reports and about the end of a run."""
    return request.replaced(
        outputs=(),
        junitxml=None,
        reporter=None,
        default_file=False,
        history=False,
        resume=None,
        runs=limits.runs,
        early_stop=limits.runs > 1,
        fail_fast=False,
        maxfail=None,
        simulator=None,
        interactive=False,
        baseline=None,
        time_limit=None,
        writes_snapshots=False,
    )
