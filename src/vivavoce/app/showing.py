"""A recorded run shown again: its events, in the order in which reporters received them."""

from collections.abc import Iterator

from vivavoce.errors import UsageError, VivaError, did_you_mean
from vivavoce.model.events import CaseFinished, Event, RunFinished, RunStarted
from vivavoce.model.result import CaseResult
from vivavoce.project.project import Project
from vivavoce.results.recorded_runs import run_and_case
from vivavoce.results.result_file import result_in
from vivavoce.results.row_outcome import outcome_in
from vivavoce.results.stored_runs import RunData, open_run, result_at


def open_shown(ref: str, project: Project) -> tuple[RunData, str | None]:
    """The run that `RUN` or `RUN::CASE` names, and the case; a bare `CASE` or `path::CASE` is one of the newest run.

    Raises UsageError when there is no such run or case.
    """
    run, case = run_and_case(ref)
    try:
        found = open_run(run or "last", project)
        found.kept()
    except VivaError as problem:
        newest = _newest(project)
        if newest is None or not _places(newest, ref):
            raise problem from None
        return newest, ref
    return found, case


def _newest(project: Project) -> RunData | None:
    try:
        return open_run("last", project)
    except VivaError:
        return None


def recorded_events(run: RunData) -> Iterator[Event]:
    """The events of the whole run."""
    kept = run.kept()
    yield RunStarted(kept.info)
    for row in run.rows():
        yield CaseFinished(result_in(row))
    yield RunFinished(kept.info, kept.summary)


def recorded_results(run: RunData, case: str) -> list[CaseResult]:
    """The results of a case by its id or its `path::id`: several where files share an id. Raises UsageError."""
    run.kept()
    found = _places(run, case)
    if not found:
        ids = [outcome_in(row).id for row in run.rows()]
        raise UsageError(
            f"the run has no case {case!r}", hint=did_you_mean(case, ids) or "viva show RUN lists its cases"
        )
    return [result_at(run, at) for at in found]


def _places(run: RunData, case: str) -> list[int]:
    """The numbers of the results of a case in its run."""
    outcomes = (outcome_in(row) for row in run.rows())
    return [at for at, one in enumerate(outcomes) if case in (one.id, one.key)]
