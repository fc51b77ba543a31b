"""A run whose cases are asked for one at a time: pytest decides about their order and workers."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from time import perf_counter

from msgspec import Struct, structs

from vivavoce.app.planning import Planned, open_resources
from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import Outcome, RunFrame
from vivavoce.containment.captured_output import capture_user_output
from vivavoce.containment.loop_watch import LoopWatch
from vivavoce.containment.working_folder import kept_working_folder
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.plan.case_names import CaseNames
from vivavoce.engine.plan.plan import Plan, Selection
from vivavoce.engine.run import BUDGET, TIME_LIMIT, Run
from vivavoce.engine.spending import Budgets
from vivavoce.errors import UsageError, VivaError
from vivavoce.executors.local import LocalExecutor
from vivavoce.model.case import Case
from vivavoce.model.events import CaseFinished, CaseKept, Event, RunFinished, RunStarted
from vivavoce.model.result import CaseResult, Status
from vivavoce.project.project import Project
from vivavoce.results.encoding import encoded
from vivavoce.wording.plurals import counted


class NotRun(VivaError):
    """The case was not run: the budget is spent, or the time limit is over."""


class _SelectedCases(Struct, frozen=True):
    """Cases of one file that somebody selected: a Source."""

    label: str
    cases: tuple[Case, ...]

    def read(self) -> Iterator[Case | UsageError]:
        return iter(self.cases)


class SteppedRun:
    """Opened at the first case that is asked for; `finish` writes what is written at the end."""

    def __init__(
        self,
        request: RunRequest,
        project: Project,
        cases: Sequence[Case],
        *,
        partial: bool = False,
        spending: Budgets | None = None,
    ) -> None:
        """`request` has what viva.yaml says filled in. `partial`: others run some of these cases, so those not asked
        for are not missing. `spending` is a budget that others spend too."""
        self._request = request
        self._spending = spending
        self._resources = open_resources(project, self._request)
        self._partial = partial
        self._problems: dict[str, UsageError] = {}
        self._plan = self._planned(cases)
        self._index = {case.key: number for number, case in enumerate(self._plan.cases(), start=1)}
        self._frame: RunFrame | None = None
        self._broken: VivaError | None = None
        self._kept: dict[str, CaseResult] = {}
        """Results of the run that this one goes on with."""
        self._reported: set[str] = set()
        self._latest: CaseResult | None = None
        """Not reported yet: a plug-in of pytest may run the case again, and its last try decides."""
        self._tries = 0
        """Earlier tries of that case."""
        self._failures = 0
        self._stopped: str | None = None
        self._began = 0.0

    def _planned(self, cases: Sequence[Case]) -> Plan:
        """The valid cases. The problems of the others are raised when those cases are asked for."""
        check = CaseChecks(self._resources, variables_follow=self._request.before is not None, one_by_one=True)
        sound: list[Case] = []
        names = CaseNames()
        for case in map(self._resources.named, cases):
            try:
                check(case)
                sound.append(case)
                names.note(case, encoded(case))
            except UsageError as problem:
                self._problems[case.key] = problem
        by_file = groupby(sound, key=lambda case: case.origin.path)
        sources = tuple(_SelectedCases(path, tuple(of_file)) for path, of_file in by_file)
        selection = Selection(skip_interactive=self._request.skip_interactive)
        names.hide_in(self._resources.secrets)
        return Plan(
            sources=sources,
            selection=selection,
            found=len(cases),
            selected=len(sound),
            runs=self._request.runs,
            names=names,
        )

    @property
    def enough_failed(self) -> bool:
        """Whether as many cases failed as the run is to stop after."""
        most = self._request.max_failures
        return most is not None and self._failures >= most

    async def examine(self, case: Case) -> CaseResult:
        """Raises UsageError for a case that is not in order, NotRun when the budget or the time is spent."""
        case = self._resources.named(case)
        if (problem := self._problems.get(case.key)) is not None:
            raise problem
        frame = await self._begun()
        result = self._kept.get(case.key)
        if result is None:
            self._refuse_after_time_limit()
            self._settle_unless_again(case, frame)
            result = self._latest = _with_tries(await self._examined(case, frame), self._tries)
        if result.is_red:
            self._failures += 1
            self._stopped = self._stopped or ("fail-fast" if self.enough_failed else None)
        return result

    def _settle_unless_again(self, case: Case, frame: RunFrame) -> None:
        """Tells the latest result, or drops it when the same case runs again."""
        if self._latest is None or self._latest.case.key != case.key:
            self._settle(frame)
            return
        self._tries += 1
        self._failures -= self._latest.is_red
        self._latest = None

    def _settle(self, frame: RunFrame) -> None:
        if self._latest is not None:
            self._report(self._latest, frame)
        self._latest, self._tries = None, 0

    def _report(self, result: CaseResult, frame: RunFrame) -> None:
        self._reported.add(result.case.key)
        frame.tally.add(result)
        frame.emit(CaseFinished(result))

    def _refuse_after_time_limit(self) -> None:
        limit_s = self._request.time_limit_s
        if limit_s is not None and perf_counter() - self._began >= limit_s:
            self._stopped = self._stopped or TIME_LIMIT
            raise NotRun("not run: the time limit is over", hint="raise --viva-time-limit")

    async def _begun(self) -> RunFrame:
        """Opens files and runs `--before`, once. An error there is raised for every case."""
        if self._broken is not None:
            raise self._broken
        if self._frame is None:
            try:
                frame = RunFrame(Planned(self._request, self._plan, self._resources), (), spending=self._spending)
                self._frame = frame
                await frame.begin()
            except VivaError as problem:
                self._broken = problem
                raise
            frame.tally.start_clock()
            self._began = perf_counter()
            frame.emit(RunStarted(frame.info))
            for kept in frame.earlier.results() if frame.earlier is not None else ():
                self._take_over(kept, frame)
        return self._frame

    def _take_over(self, kept: CaseKept, frame: RunFrame) -> None:
        """Counts a result of the run that this one goes on with."""
        result = kept.result
        frame.tally.add(result)
        if frame.spending is not None:
            for attempt in result.attempts:
                frame.spending.of(result.case).add(attempt)
        frame.emit(kept)
        self._kept[result.case.key] = result
        self._reported.add(result.case.key)

    async def _examined(self, case: Case, frame: RunFrame) -> CaseResult:
        results: list[CaseResult] = []
        plan = structs.replace(self._plan, sources=(_SelectedCases(case.origin.path, (case,)),), found=1, selected=1)
        emit = self._collecting(results)
        run = Run(
            plan,
            frame.info,
            emit,
            early_stop=self._request.early_stop,
            spending=frame.spending,
            snapshots=self._resources.snapshots,
            quarantine=frame.quarantine,
        )
        work = Examination(self._resources, emit).attempt
        with kept_working_folder(), capture_user_output(), LoopWatch(self._resources.settings.judge_timeout_s):
            await run.execute(LocalExecutor(self._request.parallel), work)
        if not results or results[0].status is Status.NOT_RUN:
            self._stopped = BUDGET
            told = () if frame.spending is None else frame.spending.warnings()
            raise NotRun(f"not run: {'; '.join(told) or 'the budget is spent'}", hint="raise --viva-budget")
        return results[0]

    def _collecting(self, results: list[CaseResult]) -> Callable[[Event], None]:
        """Collects the result of a single case, as one of the whole run."""

        def emit(event: Event) -> None:
            if isinstance(event, CaseFinished):
                number = self._index.get(event.result.case.key, len(self._index) + 1)
                results.append(structs.replace(event.result, index=number))

        return emit

    async def finish(self) -> Outcome | None:
        """Closes the run; None when no case was asked for. Raises VivaError when something cannot be written."""
        frame = self._frame
        try:
            return None if frame is None or self._broken is not None else await self._finished(frame)
        finally:
            if frame is not None:
                frame.close()
            await self._resources.close()

    async def _finished(self, frame: RunFrame) -> Outcome:
        self._settle(frame)
        for case in self._plan.cases():
            if case.skip is not None and case.key not in self._reported:
                self._report(await self._examined(case, frame), frame)  # nobody is called
        summary = frame.tally.summary(self._stopped)
        if self._partial:
            summary = structs.replace(summary, total=len(self._reported), not_run=0)
        if frame.spending is not None:
            summary = structs.replace(summary, warnings=(*summary.warnings, *frame.spending.warnings()))
        if frame.quarantine is not None:
            said = frame.quarantine.warnings(complete=self._stopped is None and not self._partial)
            summary = structs.replace(summary, warnings=(*summary.warnings, *said))
        summary = structs.replace(summary, warnings=(*summary.warnings, *frame.warnings()))
        frame.emit(RunFinished(frame.info, summary))
        await frame.run_after(summary)
        outcome = await frame.finish(summary)
        if frame.outputs.trouble is not None:
            raise frame.outputs.trouble
        return outcome


def _with_tries(result: CaseResult, earlier: int) -> CaseResult:
    """The result, with a warning when pytest ran the case before: passing at the second try is no plain pass."""
    if not earlier:
        return result
    last = result.attempts[-1]
    told = f"run again by pytest after {counted(earlier, 'earlier try', 'earlier tries')}; only this one counts"
    return structs.replace(
        result, attempts=(*result.attempts[:-1], structs.replace(last, warnings=(*last.warnings, told)))
    )
