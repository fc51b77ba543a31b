"""The use case "find the smallest conversation that still fails": what `viva shrink` does."""

from collections.abc import Callable

from msgspec import UNSET, Struct, structs

from vivavoce.app.candidates import CandidateLimits, Candidates, Counted
from vivavoce.app.opening import open_project
from vivavoce.app.rejudging import Ready, planned_again
from vivavoce.app.request import RunRequest
from vivavoce.containment.stoppable import was_stopped
from vivavoce.engine.resolve import resolve_agent
from vivavoce.errors import UsageError
from vivavoce.insight.shrinking.failure import Failure, failing_checks, failures_of, name_of
from vivavoce.insight.shrinking.shrink import EnoughTried, Oracle, shrink
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.result import UNSUCCESSFUL, Attempt
from vivavoce.project.option import texts_of
from vivavoce.project.project import Project
from vivavoce.snapshots.places import TYPE as SNAPSHOT
from vivavoce.sources.freezing import frozen_case
from vivavoce.wording.plurals import first_few

RUNS_IF_FLAKY = 5
"""How often each candidate runs by default when the recorded case failed only sometimes."""
INTERRUPTED = "Ctrl-C was pressed"


class Step(Struct, frozen=True):
    """One candidate that was tried."""

    number: int
    case: Case
    counted: Counted | None
    """How often it failed; None when it did not fail, or failed in another way."""


class Shrinking(Struct, frozen=True, kw_only=True):
    """What came of shrinking one case."""

    start: Case
    """What was begun with: the lines as they were said."""
    smallest: Case | None
    """None: the conversation did not fail again in the same way."""
    counted: Counted | None
    """How often the smallest one failed."""
    error: str
    """Why the recorded attempt failed."""
    now: str = ""
    """How the conversation came out when it was repeated, where it did not fail again."""
    tried: int
    stopped_by: str | None = None
    """What was used up before nothing more could be left out."""
    interrupted: bool = False
    """Whether Ctrl-C ended it."""


class _Failed(Struct, frozen=True):
    """A recorded case that failed."""

    case: Case
    attempt: Attempt
    agent: str | None
    is_flaky: bool


async def shrink_recorded(
    run: str,
    request: RunRequest,
    limits: CandidateLimits,
    on_step: Callable[[Step], None] = lambda step: None,
    *,
    owns_process: bool = False,
) -> Shrinking:
    """Repeats the failed conversation that `run` names and takes out everything that is not needed to fail.

    With `owns_process`, Ctrl-C ends the search and the smallest case so far is returned. Raises UsageError when
    `run` names no case that failed, or several.
    """
    project = open_project(request.config_path, inputs=texts_of(request.inputs))
    async with planned_again([run], request, ask_judges=False) as ready:
        failed = _failed_case(run, ready)
    failure = _way_to_keep(failed.attempt, run)
    start = _as_it_was_said(failed.case, failed.attempt)
    request = request.with_defaults(project.config.run).replaced(inputs=())
    if request.agent is None:
        request = request.replaced(agent=_known(failed.agent, project))
    if isinstance(request.agent, str):
        start = structs.replace(start, agent=request.agent)
    if failed.is_flaky and "runs" not in request.given:
        limits = structs.replace(limits, runs=max(RUNS_IF_FLAKY, limits.min_fail))
    async with Candidates(request, project, start, limits) as candidates:
        search = _Search(start, failure, failed.attempt.error or failure.what, candidates, on_step)
        interrupted = await was_stopped(search.run(), request.judge_timeout_s, owns_process=owns_process)
        return search.found(interrupted=interrupted)


class _Search:
    """One search. What it found can be asked for at any time."""

    def __init__(
        self, start: Case, failure: Failure, error: str, candidates: Candidates, on_step: Callable[[Step], None]
    ) -> None:
        self._start = start
        self._failure = failure
        self._error = error
        self._candidates = candidates
        self._on_step = on_step
        self._smallest: tuple[Case, Counted] | None = None
        """The last candidate that failed: each one has less in it than the one before."""
        self._now = ""

    async def run(self) -> None:
        start, candidates = self._start, self._candidates
        try:
            again = await candidates.count(start, self._failure)
        except EnoughTried as enough:
            self._now = str(enough)
            return
        if again.failed < candidates.min_fail:
            self._now = _came_out(again)
            return
        self._note(start, again)
        smaller = await _without_other_checks(start, self._failure, self._still_fails)
        await shrink(smaller, self._still_fails)
        if self._smallest is not None:
            case, seen = self._smallest
            self._smallest = (case, await candidates.counted_on(case, self._failure, seen))

    async def _still_fails(self, case: Case) -> bool:
        seen = await self._candidates.fails(case, self._failure)
        self._note(case, seen)
        return seen is not None

    def _note(self, case: Case, seen: Counted | None) -> None:
        if seen is not None:
            self._smallest = (case, seen)
        self._on_step(Step(self._candidates.tried, case, seen))

    def found(self, *, interrupted: bool) -> Shrinking:
        smallest, counted = self._smallest or (None, None)
        return Shrinking(
            start=self._start,
            smallest=smallest,
            counted=counted,
            error=self._error,
            now=INTERRUPTED if interrupted else self._now,
            tried=self._candidates.tried,
            stopped_by=INTERRUPTED if interrupted else self._candidates.stopped_by,
            interrupted=interrupted,
        )


async def _without_other_checks(case: Case, failure: Failure, still_fails: Oracle) -> Case:
    alone = only_the_check(case, failure)
    try:
        return alone if alone != case and await still_fails(alone) else case
    except EnoughTried:
        return case


def _came_out(again: Counted) -> str:
    """How a conversation that did not fail again came out, in words."""
    other = next((attempt.error for attempt in again.attempts if attempt.status in UNSUCCESSFUL), None)
    if other is not None and not again.failed:
        return f"it fails in another way now: {other}"
    return f"it failed in {again.words}" if again.failed else "it passes now"


def _failed_case(run: str, ready: Ready) -> _Failed:
    """The one case that failed. Raises UsageError for none or several."""
    found: list[_Failed] = []
    for case in ready.planned.plan.cases():
        number = ready.recorded.attempts(case)
        read = [one.attempt for at in range(1, number + 1) if (one := ready.recorded.attempt(case, at)) is not None]
        failed = [attempt for attempt in read if attempt.status in UNSUCCESSFUL]
        if failed and not case.is_script_test:
            agent = ready.runs.infos[0].agent_for(case.agent, case.origin.path)
            found.append(_Failed(case, failed[0], agent, is_flaky=len(failed) < len(read)))
    if not found:
        raise UsageError("no conversation failed in it: there is nothing to shrink", at=run)
    if len(found) > 1:
        names = first_few([one.case.id for one in found], 5)
        hint = f"name one: {run.partition('::')[0]}::{found[0].case.id}"
        raise UsageError(f"{len(found)} cases failed in it: {names}", at=run, hint=hint)
    return found[0]


def _way_to_keep(attempt: Attempt, run: str) -> Failure:
    """The first way in which the attempt failed that a shorter conversation can share.

    A snapshot is of this conversation alone: every shorter one has another answer, and no approved one.
    """
    of_snapshots = {name_of(check) for check in failing_checks(attempt) if check.type == SNAPSHOT}
    for failure in failures_of(attempt):
        if failure.what not in of_snapshots:
            return failure
    hint = "`viva snapshots --review` shows the difference"
    raise UsageError("only a snapshot differs: a shorter conversation has another answer anyway", at=run, hint=hint)


def _as_it_was_said(case: Case, attempt: Attempt) -> Case:
    """The case with the lines that were said, where a simulator, a person or a script said some of them."""
    transcript = attempt.transcript
    is_scripted = all(turn.line.source == "static" for turn in transcript.turns)
    if transcript.turns and not (is_scripted and case.history_script is None and case.simulator is None):
        return frozen_case(case, transcript, propose=False)
    return structs.replace(case, not_reached=None, rules=structs.replace(case.rules, interactive=False))


def only_the_check(case: Case, failure: Failure) -> Case:
    """The case without the checks that have nothing to do with the failure; they could end it early."""

    def kept(checks: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
        return tuple(check for check in checks if name_of(check) == failure.what)

    turns = tuple(structs.replace(turn, assertions=kept(turn.assertions)) for turn in case.turns)
    smaller = structs.replace(
        case,
        turns=turns,
        assertions=kept(case.assertions),
        final_assertions=kept(case.final_assertions),
        min_score=None,
    )
    has_check = smaller.assertions or smaller.final_assertions or any(turn.assertions for turn in turns)
    return structs.replace(smaller, expected=UNSET) if has_check else smaller


def _known(agent: str | None, project: Project) -> str | None:
    """The agent of the recorded run, unless it cannot be named (an object of a program): then as usual."""
    if agent is None:
        return None
    try:
        resolve_agent(agent, project)
    except UsageError:
        return None
    return agent
