"""Talking to an agent from a test written in Python: one line at a time, through the loop of every case."""

import asyncio
import inspect
import uuid
from collections.abc import Coroutine
from typing import Any, TypeVar

from vivavoce.app.request import RunRequest
from vivavoce.containment.loop_watch import LoopWatch
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.containment.time_limit import TimeLimit
from vivavoce.engine.attempt.conversation import Conversation
from vivavoce.engine.attempt.examiner import Examiner
from vivavoce.engine.attempt.identity import identity_for
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import CallFailed, UsageError, VivaError
from vivavoce.model.case import Case, Origin
from vivavoce.model.message import AgentReply, Content
from vivavoce.model.transcript import NO_ANSWER, Ending, EndReason, Line, Transcript, Turn
from vivavoce.notation.durations import format_duration
from vivavoce.project.project import Project
from vivavoce.protocols import CallContext, Session

T = TypeVar("T")

ENDLESS = 1_000_000


class Reply(AgentReply, frozen=True, kw_only=True):
    """An agent's answer, together with the exchange it belongs to: what `check` judges."""

    turn: Turn
    before: Transcript
    """All that was said before."""
    project: Project

    def __repr__(self) -> str:
        calls = f", calls={[call.name for call in self.calls]}" if self.calls else ""
        return f"Reply({self.output!r}{calls})"


class Stage:
    """What the conversations of one test share: the project, live agents, one event loop."""

    def __init__(self, project: Project, request: RunRequest) -> None:
        self.project = project
        self._request = request.with_defaults(project.config.run)
        self._resources: RunResources | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sessions: list[Session] = []
        self.conversations: list[Viva] = []
        self._runner: asyncio.Runner | None = None
        self._lines: list[Coroutine[Any, Any, Reply]] = []
        self.act = 0
        """Goes up whenever everything begins anew."""

    @property
    def resources(self) -> RunResources:
        if self._resources is None:
            self._resources = RunResources(self.project, self._request.settings())
        return self._resources

    async def open(self, case: Case) -> Session:
        resources = self.resources
        settings = resources.settings
        session = await resources.target(resources.agent_name(case)).open(
            CallContext(
                session_id=uuid.uuid4().hex,
                case_id=case.id,
                identity=identity_for(case, settings.identity, settings.context, self.project.config.identity),
                variables=dict(resources.variables),
                connector=settings.connector,
            )
        )
        self._sessions.append(session)
        return session

    def enter_loop(self) -> None:
        """Connections belong to one event loop: raises UsageError when another one uses them."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise UsageError("viva talks through asyncio, which is not running here") from None
        if self._loop is not None and self._loop is not loop:
            raise UsageError("one test, one event loop", hint="use either viva.say or viva.sync.say, not both")
        self._loop = loop

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs it to its end on a loop of this stage's own."""
        if loop_is_running():
            work.close()
            raise UsageError("viva.sync cannot wait inside a running event loop", hint="write: await viva.say(…)")
        # A factory keeps the runner from replacing the thread's current loop, which is somebody else's.
        self._runner = self._runner or asyncio.Runner(loop_factory=asyncio.new_event_loop)
        return self._runner.run(work)

    def saying(self, line: Coroutine[Any, Any, Reply]) -> Coroutine[Any, Any, Reply]:
        """The same line, remembered, so that a forgotten await is noticed."""
        self._lines.append(line)
        return line

    def unsaid(self) -> int:
        """How many lines were never awaited since this was last asked."""
        lines, self._lines = self._lines, []
        forgotten = [line for line in lines if inspect.getcoroutinestate(line) == inspect.CORO_CREATED]
        for line in forgotten:
            line.close()  # or Python warns of it, long after
        return len(forgotten)

    async def clear(self) -> None:
        """Ends every conversation; the next line begins a new one."""
        sessions, self._sessions, self.conversations = self._sessions, [], []
        resources, self._resources, self._loop = self._resources, None, None
        self.act += 1
        for session in sessions:
            await session.close()
        if resources is not None:
            await resources.close()

    def close(self) -> None:
        """For good. What nobody cleared in its own loop is cleared here."""
        if self._resources is not None:
            self.wait_for(self.clear())
        if self._runner is not None:
            self._runner.close()
            self._runner = None


class Viva:
    """A conversation with an agent under test; it grows with every line."""

    def __init__(self, stage: Stage, agent: Any = None, *, test_file: str = "") -> None:
        self.stage = stage
        self._agent = agent
        self._origin = Origin(test_file)
        self._session: Session | None = None
        self._act = stage.act
        self._transcript = Transcript()
        self.transcript = Transcript()
        """Everything said and done so far, secrets masked; `check` judges the whole of it."""

    def __repr__(self) -> str:
        return f"<viva: {len(self.transcript.turns)} turns>"

    @property
    def sync(self) -> "SyncViva":
        """The same conversation for tests that cannot await."""
        return SyncViva(self, self.stage)

    def agent(self, agent: Any) -> "Viva":
        """A conversation of its own with another agent: a reference as `-n` takes it, or a live function or object."""
        return Viva(self.stage, agent, test_file=self._origin.path)

    def say(self, content: Content) -> Coroutine[Any, Any, Reply]:
        """To be awaited: what the agent answers. Raises CallFailed when it does not; the line then was never said."""
        return self.stage.saying(self._say(content))

    async def _say(self, content: Content) -> Reply:
        __tracebackhide__ = True
        try:
            return await self._said(content)
        except VivaError as problem:
            # The message is enough: the traceback through the engine would not help the author.
            raise problem.with_traceback(None) from None

    async def _said(self, content: Content) -> Reply:
        self.stage.enter_loop()
        if self._act != self.stage.act:
            self._act, self._session, self._transcript = self.stage.act, None, Transcript()
        case = Case(id="viva", origin=self._origin, agent=self._agent_name())
        if self._session is None:
            self._session = await self.stage.open(case)
            self.stage.conversations.append(self)
        resources = self.stage.resources
        before = self._transcript
        conversation = Conversation(
            session=self._session,
            speaker=_OneLine(Line(content=content)),
            examiner=Examiner(case, resources.helpers, strict_protocol=resources.settings.options.strict_protocol),
            budget=TimeLimit(resources.settings.timeout_s),
            max_turns=ENDLESS,
            awaiting=resources.awaiting,
            on_turn=_ignore,
        )
        with LoopWatch(resources.settings.judge_timeout_s):
            held = await conversation.hold(before)
        if held.ending is not None and held.ending.reason in NO_ANSWER:
            raise _no_answer(held.ending, resources)
        self._transcript = Transcript(history=held.history, turns=held.turns)
        self.transcript = resources.secrets.masked(self._transcript)
        turn = self.transcript.turns[-1]
        said = {name: getattr(turn.reply, name) for name in AgentReply.__struct_fields__}
        return Reply(**said, turn=turn, before=before, project=self.stage.project)

    def _agent_name(self) -> str | None:
        if self._agent is None or isinstance(self._agent, str):
            return self._agent
        return self.stage.resources.adopt(self._agent)


class SyncViva:
    """`viva`, for tests that cannot await."""

    def __init__(self, viva: Viva, stage: Stage) -> None:
        self._viva = viva
        self._stage = stage

    @property
    def transcript(self) -> Transcript:
        return self._viva.transcript

    def agent(self, agent: Any) -> "SyncViva":
        return self._viva.agent(agent).sync

    def say(self, content: Content) -> Reply:
        __tracebackhide__ = True
        try:
            return self._stage.wait_for(self._viva.say(content))
        except VivaError as problem:
            raise problem.with_traceback(None) from None


class _OneLine:
    """Speaks once."""

    def __init__(self, line: Line) -> None:
        self._line: Line | None = line

    async def next_line(self, transcript: Transcript) -> Line | None:
        line, self._line = self._line, None
        return line


def _no_answer(ending: Ending, resources: RunResources) -> CallFailed:
    detail = resources.secrets.mask(ending.detail)
    if ending.reason is EndReason.TIMEOUT:
        late = f"no answer within {format_duration(resources.settings.timeout_s)}"
        return CallFailed(f"{late}: {detail}" if detail else late, fault="agent")
    if ending.reason in (EndReason.TARGET_ERROR, EndReason.TEST_ERROR):
        return CallFailed(detail, fault="target" if ending.reason is EndReason.TARGET_ERROR else "test")
    return CallFailed(f"agent error: {detail}", fault="agent")


def _ignore(turn: Turn) -> None:
    """The test gets the reply."""
