"""The use case "judge recorded conversations by today's cases": what `viva rejudge` and `vivavoce.rejudge` do."""

import sys
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from vivavoce.app.examine import carry_out
from vivavoce.app.listening import Listener
from vivavoce.app.opening import open_project, selection_of, sources_of
from vivavoce.app.planning import Planned, require_cases
from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import Outcome, RunFrame
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.plan.checked_cases import CheckedCases
from vivavoce.engine.plan.generating import GENERATORS
from vivavoce.engine.plan.plan import Plan, make_plan
from vivavoce.engine.rejudging import Rejudging
from vivavoce.engine.verdict_changes import VerdictChanges
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, ManyProblems, UsageError
from vivavoce.executors.local import LocalExecutor
from vivavoce.model.case import Case
from vivavoce.model.result import RunInfo
from vivavoce.project.files import is_case_file
from vivavoce.project.option import texts_of
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Source
from vivavoce.results.recorded_cases import RecordedCases
from vivavoce.results.recorded_runs import RecordedRuns, recorded_runs
from vivavoce.version import __version__
from vivavoce.wording.plurals import counted, first_few

_NOT_FOR_RECORDINGS: dict[str, Any] = {
    "before": None,
    "after": None,
    "resume": None,
    "simulator": None,
    "interactive": False,
    "history": False,
    "budget": None,
    "retries": 0,
    "baseline": None,
    "update_baseline": False,
}
"""Options of viva.yaml that are about calling the agent, or about keeping runs: they do not apply."""


class Rejudged(Struct, frozen=True):
    """What judging again came to."""

    outcome: Outcome
    changes: VerdictChanges
    not_recorded: int
    """Cases of the files that no recorded run holds."""
    gone: tuple[str, ...]
    """Keys of recorded cases that are in none of the files any more."""
    unreadable: int = 0
    """Lines of the recording that cannot be read: nobody knows what they held, so the outcome is not green."""
    missing: int = 0
    """Cases that the recorded runs began and that have no result: these runs did not come to their end."""


async def rejudge(
    runs: Sequence[str],
    request: RunRequest,
    listeners: Sequence[Listener] = (),
    *,
    ask_judges: bool = True,
    secrets: Secrets | None = None,
    owns_process: bool = False,
) -> Rejudged:
    """Judges what the runs recorded by the cases as they read now. No agent under test is called.

    Raises UsageError for a run that does not exist, and for cases that are not in order.
    """
    async with planned_again(runs, request, secrets=secrets, ask_judges=ask_judges) as ready:
        planned, recorded = ready.planned, ready.recorded
        frame = RunFrame(planned, listeners, info=_info(planned, ready.runs))
        # Nobody asks for lines that nobody writes: the recorded results would all stay in memory.
        work = Rejudging(planned.resources, recorded, ask_judges=ask_judges, keeps_lines=frame.writes_lines)
        executor = LocalExecutor(planned.request.parallel)
        outcome = await carry_out(
            planned, frame, executor, work.attempt, line_of=work.line_of, owns_process=owns_process
        )
        one_case = any("::" in run for run in runs)
        not_recorded = 0 if one_case else ready.not_recorded()
        unreadable = 0 if one_case else len(ready.runs.problems)
        missing = 0 if planned.request.allow_not_run else ready.runs.missing
        if (unreadable or missing) and outcome.exit_code == EXIT_PASSED:
            outcome = structs.replace(outcome, exit_code=EXIT_FAILED)
        return Rejudged(outcome, work.changes, not_recorded, tuple(recorded.not_asked_for()), unreadable, missing)


class Ready(Struct, frozen=True):
    """Recorded runs, and the cases of today that they hold."""

    planned: Planned
    runs: RecordedRuns
    recorded: RecordedCases

    def not_recorded(self) -> int:
        return sum(source.left_out for source in self.planned.plan.sources if isinstance(source, _Recorded))


@asynccontextmanager
async def planned_again(
    runs: Sequence[str], request: RunRequest, *, secrets: Secrets | None = None, ask_judges: bool = True
) -> AsyncGenerator[Ready]:
    """Today's cases that recorded runs hold, read and checked; the agent under test need not exist any more."""
    project = open_project(request.config_path, inputs=texts_of(request.inputs))
    outputs = request.outputs if "outputs" in request.given else ()
    request = request.with_defaults(project.config.run).replaced(**_NOT_FOR_RECORDINGS, outputs=outputs)
    found = recorded_runs(runs, project)
    recorded = RecordedCases(found)
    for problem in found.problems:
        print(f"viva: warning: {problem}", file=sys.stderr)
    if not recorded:
        raise UsageError("nothing is recorded in it", at=", ".join(runs) or "last")
    resources = RunResources(project, request.settings(), secrets=secrets)
    try:
        plan, problems = make_plan(
            [_Recorded(source, recorded, resources.named) for source in _sources(project, request, found)],
            selection_of(project, request),
            runs=1,
            check=CaseChecks(resources, only_judges=True) if ask_judges else None,
            checked=CheckedCases(),
        )
        if problems:
            raise ManyProblems(problems)
        _require_recorded(plan)
        plan.names.hide_in(resources.secrets)
        resources.cases_hold_variables = plan.holds_variables
        plan = structs.replace(plan, repeats=recorded.attempts)
        yield Ready(Planned(request, plan, resources), found, recorded)
    finally:
        await resources.close()


def _require_recorded(plan: Plan) -> None:
    """Raises UsageError where no case is left, and says when that is because none of them was recorded."""
    others = sum(source.left_out for source in plan.sources if isinstance(source, _Recorded))
    if others and not plan.found:
        none = "the only case found is not" if others == 1 else f"none of the {others:,} cases found is"
        raise UsageError(
            f"{none} recorded in it",
            at=", ".join(source.label for source in plan.sources),
            hint="a case is known by its file and its id: was the file renamed?",
        )
    require_cases(plan)


class _Recorded:
    """The cases of a source that were recorded."""

    def __init__(self, source: Source, recorded: RecordedCases, named: Callable[[Case], Case]) -> None:
        self._source = source
        self._recorded = recorded
        self._named = named
        self.label = source.label
        self.left_out = 0

    def read(self) -> Iterator[Case | UsageError]:
        self.left_out = 0
        for read in self._source.read():
            item = read if isinstance(read, UsageError) else self._named(read)
            if isinstance(item, UsageError) or self._recorded.attempts(item):
                yield item
            else:
                self.left_out += 1


class _AsRecorded:
    """Cases that lie in no file (messages, generated ones): as they were recorded."""

    label = "the recording"

    def __init__(self, runs: RecordedRuns) -> None:
        self._runs = runs

    def read(self) -> Iterator[Case | UsageError]:
        seen: set[str] = set()
        for place, head in self._runs.heads():
            if not is_case_file(head.file) and head.key not in seen:
                seen.add(head.key)
                if (result := self._runs.result_at(place)) is not None:
                    yield result.case


def _sources(project: Project, request: RunRequest, runs: RecordedRuns) -> list[Source]:
    """What `-i` names; without it the files that the recorded cases came from, and those of no file as recorded."""
    named = texts_of(request.inputs)
    if named:
        return sources_of(project, named, generators=GENERATORS)
    files = {head.file: None for _, head in runs.heads()}
    paths = [case_file_now(file, project) for file in files if is_case_file(file)]
    sources = sources_of(project, paths) if paths else []
    return sources if len(paths) == len(files) else [*sources, _AsRecorded(runs)]


def case_file_now(file: str, project: Project) -> str:
    """Where the file of a recorded case is now. Raises UsageError when it is neither here nor in the project."""
    for path in (Path(file), project.root / file):
        if path.is_file():
            return str(path)
    raise UsageError(f"the case file {file} is not here any more", hint="name the cases: -i CASES")


def _info(planned: Planned, runs: RecordedRuns) -> RunInfo:
    """The head of today's run over earlier conversations."""
    recorded = runs.infos
    agents = dict.fromkeys(info.agent_id for info in recorded)
    return RunInfo(
        run_id=uuid.uuid4().hex[:12],
        started_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        agent_id=", ".join(agents),
        connector=recorded[0].connector,
        identity=recorded[0].identity,
        inputs=tuple(source.label for source in planned.plan.sources),
        total_cases=planned.plan.selected,
        runs_per_case=max(info.runs_per_case for info in recorded),
        version=__version__,
        command=planned.resources.secrets.mask(planned.request.command),
        project_root=str(planned.resources.project.root),
        tags=planned.plan.tags,
    )


def change_lines(rejudged: Rejudged, *, allow_stale: bool = False, most: int = 20) -> Iterator[str]:
    """What changed, in words: a headline, and a line for each of the first changes.

    `allow_stale`: whether stale cases are accepted.
    """
    changes = rejudged.changes
    if changes.count:
        yield f"{counted(changes.count, 'verdict')} changed:"
        for change in changes.kept[:most]:
            run = f" (run {change.run})" if change.run > 1 else ""
            how = f"{change.was.value} → {change.now.value}" if change.was is not change.now else change.now.value
            yield f"  {change.key}{run}  {how}{f': {change.why}' if change.why else ''}"
        if changes.count > most:
            yield f"  … and {changes.count - most:,} more"
    else:
        yield f"no verdict changed: {counted(changes.judged, 'conversation')} judged again"
    if changes.stale:
        stale = counted(changes.stale, "conversation is stale and was", "conversations are stale and were")
        if not allow_stale:
            yield f"{stale} not judged: run viva test for them, or accept it with --allow-stale"
        elif changes.judged:
            yield f"{stale} not judged"
        else:
            yield f"{stale} not judged: nothing else was, so this is no pass"
    if rejudged.unreadable:
        lines = counted(rejudged.unreadable, "line of the recording cannot", "lines of the recording cannot")
        yield f"{lines} be read: what was in it is not judged, so this is no pass (RUN::CASE judges one case)"
    if rejudged.missing:
        cases = counted(rejudged.missing, "case of the recorded run has", "cases of the recorded run have")
        yield f"{cases} no result: it did not come to its end, so this is no pass (--allow-stale accepts it)"
    if rejudged.not_recorded:
        yield f"{counted(rejudged.not_recorded, 'case is', 'cases are')} not in the recording"
    if rejudged.gone:
        cases = counted(len(rejudged.gone), "recorded case is", "recorded cases are")
        yield f"{cases} not judged: {first_few(rejudged.gone, 5)}"
