"""One case, once: hooks → conversation → judging → Attempt. No error of a case leaves this module."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, structs

from vivavoce.containment.captured_output import OutputLog
from vivavoce.containment.time_limit import TimeLimit
from vivavoce.engine.attempt.closing import Closing, judged
from vivavoce.engine.attempt.conversation import Conversation
from vivavoce.engine.attempt.examiner import Examiner
from vivavoce.engine.attempt.prepare import prepared
from vivavoce.engine.attempt.retrying import with_retries
from vivavoce.engine.watching import Watching, with_ends
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import BrokenEnvironment, CallFailed, UsageError
from vivavoce.metering.clock import now_ms
from vivavoce.metering.expenses import Expenses
from vivavoce.model.case import Case
from vivavoce.model.events import AttemptFinished, AttemptStarted, Event, TurnFinished
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.result import Attempt, Status
from vivavoce.model.tally import AFTER_FAILED
from vivavoce.model.transcript import Transcript, Turn
from vivavoce.model.verdict import Fault
from vivavoce.model.workspace import Workspace
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import CallContext, Job, Target
from vivavoce.results.turn_rows import to_the_microsecond

if TYPE_CHECKING:
    from vivavoce.targets.serving.own_servers import OwnServer


class AttemptInputs(Struct, frozen=True):
    """One try of a case, and what it is made with."""

    case: Case
    run: int
    variables: JsonObject
    """Hooks add to them."""
    expenses: Expenses
    workspace: Workspace | None = None
    server: "OwnServer | None" = None
    """The server of this try alone."""


class Examination:
    """Runs jobs with what RunResources holds, and emits events on the way."""

    def __init__(self, resources: RunResources, emit: Callable[[Event], None], *, live: bool = False) -> None:
        self._resources = resources
        self._emit = emit
        self._live = live
        """Whether a listener wants the events of attempts and turns, not only of finished cases."""

    async def attempt(self, job: Job) -> Attempt:
        case = job.case
        if case.skip is not None:
            return Attempt(status=Status.SKIPPED, run=job.run, error=case.skip, started_ms=now_ms())
        if self._live:
            self._emit(AttemptStarted(case, job.run))
        with Expenses() as expenses:
            retries = self._resources.settings.options.retries
            if retries:
                attempt = await with_retries(lambda: self._tried(job, expenses), retries, expenses)
            else:
                attempt = await self._tried(job, expenses)
        if expenses.notes or expenses.usage:
            attempt = structs.replace(attempt, retries=tuple(expenses.notes), overhead=expenses.usage)
        attempt = without_secrets(attempt, self._resources.secrets)
        if self._live:
            self._emit(AttemptFinished(case, attempt))
        return attempt

    async def _tried(self, job: Job, expenses: Expenses) -> Attempt:
        started_ms = now_ms()
        with OutputLog() as log:
            inputs = AttemptInputs(job.case, job.run, dict(self._resources.variables), expenses)
            attempt = await contained(self._work_for(inputs))
        # The case's duration is the agent's: hooks, starting things, simulators and judges are counted apart.
        agent_ms = sum([turn.duration_ms for turn in attempt.transcript.turns])
        return structs.replace(
            attempt,
            run=job.run,
            started_ms=started_ms,
            duration_ms=agent_ms,
            overhead_ms=to_the_microsecond(max(0.0, now_ms() - started_ms - agent_ms)),
            logs=log.text(),
            replayed=attempt.replayed or self._resources.replays(job.case),
        )

    def _work_for(self, inputs: AttemptInputs) -> Coroutine[Any, Any, Attempt]:
        """The result of a try. Tapes, workspaces and servers are steps of their own, which most cases skip."""
        case, resources = inputs.case, self._resources
        if resources.tapes is not None:
            return self._taped(inputs)
        if case.workspace is not None or resources.served.some_per_attempt:
            return self._worked(inputs)
        return self._with_hooks(inputs) if _has_hooks(case) else self._conversed(inputs)

    async def _taped(self, inputs: AttemptInputs) -> Attempt:
        """Works with the attempt's tape: a call that is not on it makes the attempt an error."""
        tapes = self._resources.tapes
        assert tapes is not None
        with tapes.attempt(inputs.case, inputs.run) as attempt_tape:
            attempt = await contained(self._worked(inputs))
        if attempt_tape.replayed:
            attempt = structs.replace(attempt, replayed=True)
        return with_ends(attempt, [tapes.ended(attempt_tape)])

    async def _worked(self, inputs: AttemptInputs) -> Attempt:
        case = inputs.case
        if case.workspace is None:
            return await self._served(inputs)
        from vivavoce.engine.attempt.workspace import VARIABLE, in_workspace

        def work_there(workspace: Workspace) -> Coroutine[Any, Any, Attempt]:
            variables = {**inputs.variables, VARIABLE: workspace.folder}
            return contained(self._served(structs.replace(inputs, variables=variables, workspace=workspace)))

        return await in_workspace(case, self._resources, work_there)

    async def _served(self, inputs: AttemptInputs) -> Attempt:
        """The try, with a server of its own where the agent says `serve: {per: attempt}`."""
        case, resources = inputs.case, self._resources
        work = self._with_hooks if _has_hooks(case) else self._conversed
        if not resources.served.some_per_attempt:
            return await work(inputs)
        agent = resources.served.per_attempt(resources.target(resources.agent_name(case)))
        if agent is None:
            return await work(inputs)
        from vivavoce.engine.attempt.own_server import with_own_server

        return await with_own_server(agent, inputs, lambda served: contained(work(served)))

    async def _with_hooks(self, inputs: AttemptInputs) -> Attempt:
        """Hooks around the conversation: `after` runs whenever `before` did, and cannot hide what happened."""
        case, variables, resources = inputs.case, inputs.variables, self._resources
        from vivavoce.engine.attempt.hooks import run_before, run_hook_commands

        if case.hooks:
            variables |= await run_hook_commands(case.hooks, resources.project.root, variables, resources.secrets)
        handed_on = None
        if case.before is not None:
            handed_on = await run_before(resources.hook(case.before, case), case, resources.scripts)
        if isinstance(handed_on, dict):
            variables |= handed_on
        try:
            attempt = await contained(self._conversed(inputs))
        except asyncio.CancelledError:
            await self._tidied_up(case, _not_examined("test", "the run was stopped"), handed_on)
            raise
        return await self._tidied_up(case, attempt, handed_on)

    async def _tidied_up(self, case: Case, attempt: Attempt, handed_on: JsonValue) -> Attempt:
        if case.after is None:
            return attempt
        from vivavoce.engine.attempt.hooks import run_after

        try:
            after = self._resources.hook(case.after, case)
            await run_after(after, case, attempt, handed_on, self._resources.scripts)
        except (CallFailed, UsageError) as problem:
            said = str(problem)
            told = said if said.startswith(AFTER_FAILED) else f"{AFTER_FAILED}: {said}"
            return structs.replace(attempt, warnings=(*attempt.warnings, told))
        return attempt

    async def _conversed(self, inputs: AttemptInputs) -> Attempt:
        case, resources = inputs.case, self._resources
        if case.history_script is not None:
            from vivavoce.engine.attempt.made_history import with_made_history

            case = await with_made_history(case, case.history_script, resources.scripts)
        case = prepared(case, inputs.variables, resources)
        agent = resources.agent_name(case)
        target = resources.target(agent)
        session_id = resources.new_session_id()
        if not resources.watchers.over(agent, case):
            return await self._held(case, agent, target, session_id, inputs, None)
        watching = await resources.watchers.watch(agent, case, inputs.run, session_id)
        try:
            attempt = await contained(self._held(case, agent, target, session_id, inputs, watching))
        except BaseException:
            await watching.close()
            raise
        return with_ends(attempt, await watching.close())

    async def _held(
        self, case: Case, agent: str, target: Target, session_id: str, inputs: AttemptInputs, watching: Watching | None
    ) -> Attempt:
        """Holds the conversation and judges it."""
        resources, expenses, workspace = self._resources, inputs.expenses, inputs.workspace
        budget = TimeLimit(case.rules.timeout_s or resources.settings.timeout_s, case.id)
        # Waiting for a busy server is limited by the time the agent itself may take.
        expenses.paused, expenses.patience_s, expenses.place = budget.paused, budget.seconds, "turn 1"
        examiner = Examiner(
            case, resources.helpers, session_id, strict_protocol=resources.is_strict(agent), workspace=workspace
        )
        session = await (inputs.server or target).open(
            CallContext(
                session_id=session_id,
                case_id=case.id,
                identity=resources.identity(case),
                variables=inputs.variables,
                frontend_tools=case.frontend_tools,
                state=case.state,
                thread_id=case.thread_id,
                connector=resources.connector_for(case),
                workspace=None if workspace is None else workspace.folder,
                judged=_is_judged(case),
                provisions=None if watching is None else watching.provisions,
                interventions=None if watching is None else watching.provisions.interventions,
            )
        )
        on_close: list[Callable[[], None]] = []
        try:
            transcript = await Conversation(
                session=session,
                speaker=resources.speaker(case, session_id, budget, on_close),
                examiner=examiner,
                budget=budget,
                max_turns=resources.max_turns(case),
                awaiting=resources.awaiting,
                on_turn=lambda turn: self._turn_finished(case, inputs.run, turn, expenses),
                shows_calls=resources.shows_calls(agent),
                watching=watching,
            ).hold(Transcript(history=case.history))
        finally:
            for close in on_close:
                close()
            await session.close()
        expenses.place = "judging"
        closing = Closing(
            helpers=resources.helpers, timeout_s=budget.seconds, session_id=session_id, workspace=workspace
        )
        return await judged(case, transcript, examiner.checkpoints(), closing)

    def _turn_finished(self, case: Case, run: int, turn: Turn, expenses: Expenses) -> None:
        expenses.place = f"turn {turn.number + 1}"
        if self._live:
            self._emit(self._resources.secrets.masked(TurnFinished(case, run, turn)))


async def contained(work: Coroutine[Any, Any, Attempt]) -> Attempt:
    """Turns every error of an attempt into its result: it costs one case, not the run.

    A broken environment would cost every case: it ends the run.
    """
    try:
        return await work
    except BrokenEnvironment:
        raise
    except (CallFailed, UsageError) as problem:
        return _not_examined(problem.fault if isinstance(problem, CallFailed) else "test", str(problem))
    except Exception as bug:  # noqa: BLE001 - a bug of ours
        return _not_examined("test", f"viva broke on this case: {type(bug).__name__}: {bug}")


def _has_hooks(case: Case) -> bool:
    return bool(case.hooks or case.before or case.after)


def without_secrets(attempt: Attempt, secrets: Secrets) -> Attempt:
    """The attempt with secrets masked. It says so when there were some in the agent's replies."""
    masked = secrets.masked(attempt)
    if masked is attempt or attempt.masked:
        return masked
    replies = zip(masked.transcript.turns, attempt.transcript.turns, strict=True)
    return structs.replace(masked, masked=any(now.reply != was.reply for now, was in replies))


def _is_judged(case: Case) -> bool:
    """Whether something looks at the answers besides the checks of single turns."""
    return bool(case.assertions or case.final_assertions or case.checkpoints or case.expected is not UNSET)


def _not_examined(fault: Fault, why: str) -> Attempt:
    return Attempt(status=Status.ERROR, fault=fault, error=why)
