"""Targets, connectors and executors of plug-ins, wrapped so that an error in one of them names the plug-in."""

from collections import deque
from collections.abc import Iterator
from typing import TypeVar

from vivavoce.containment.user_errors import UserCode, describe_exception
from vivavoce.errors import CallFailed, VivaError
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.catalog import CONNECTORS, EXECUTORS, TARGETS
from vivavoce.plugins.registry import PlugIn
from vivavoce.plugins.well_formed import Misfit, well_formed
from vivavoce.protocols import (
    AgentCard,
    CallContext,
    Connector,
    Done,
    Executor,
    Job,
    ModelReply,
    ModelRequest,
    Partial,
    Session,
    Target,
    Work,
)

R = TypeVar("R", AgentReply, ModelReply)
_LATEST = 100
"""Attempts that are looked through for one that was handed on under another name."""


def guarded_target(target: Target, kind: str) -> Target:
    """Returns the target itself when its kind is built in. Raises TypeError for what is no target."""
    plugin = TARGETS.plugin(kind)
    if plugin is None:
        return target
    if not isinstance(getattr(target, "card", None), AgentCard):
        raise TypeError(f"{type(target).__name__} has no `card` with an AgentCard")
    for method in ("open", "close"):
        if not callable(getattr(target, method, None)):
            raise TypeError(f"{type(target).__name__} has no method {method}")
    return GuardedTarget(target, plugin)


def guarded_connector(connector: Connector, kind: str) -> Connector:
    plugin = CONNECTORS.plugin(kind)
    return connector if plugin is None else GuardedConnector(connector, plugin)


def guarded_executor(executor: Executor, name: str) -> Executor:
    plugin = EXECUTORS.plugin(name)
    return executor if plugin is None else GuardedExecutor(executor, plugin)


class GuardedTarget:
    """Turns what a plug-in's target raises or returns by mistake into CallFailed."""

    def __init__(self, target: Target, plugin: PlugIn) -> None:
        self._target = target
        self._plugin = plugin

    @property
    def card(self) -> AgentCard:
        return self._target.card

    async def open(self, context: CallContext) -> "GuardedSession":
        with _calling(self._plugin):
            session = await self._target.open(context)
        if not callable(getattr(session, "send", None)) or not callable(getattr(session, "close", None)):
            raise _call_failed(self._plugin, f"open returned {_kind_of(session)} without send and close")
        return GuardedSession(session, self._plugin)

    async def close(self) -> None:
        with _calling(self._plugin):
            await self._target.close()


class GuardedSession:
    """One conversation with such a target."""

    def __init__(self, session: Session, plugin: PlugIn) -> None:
        self._session = session
        self._plugin = plugin

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        with _calling(self._plugin):
            reply = await self._session.send(line, transcript)
        return _checked_reply(reply, self._plugin)

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke."""
        if not isinstance(self._session, Partial):
            return AgentReply()
        with _calling(self._plugin):
            seen = self._session.so_far()
        return _checked_reply(seen, self._plugin)

    async def close(self) -> None:
        with _calling(self._plugin):
            await self._session.close()


class GuardedConnector:
    """Turns what a plug-in's connector raises or returns by mistake into CallFailed."""

    def __init__(self, connector: Connector, plugin: PlugIn) -> None:
        self._connector = connector
        self._plugin = plugin

    async def complete(self, request: ModelRequest) -> ModelReply:
        with _calling(self._plugin):
            reply: JsonValue = await self._connector.complete(request)
        if not isinstance(reply, ModelReply):
            raise _call_failed(self._plugin, f"complete returned {_kind_of(reply)} instead of a ModelReply")
        return _well_formed(reply, self._plugin)


class GuardedExecutor:
    """Ends the run with an error that names the plug-in when it raises, leaves a job out, or reports one wrongly."""

    def __init__(self, executor: Executor, plugin: PlugIn) -> None:
        self._executor = executor
        self._plugin = plugin

    async def run(self, jobs: Iterator[Job], work: Work, done: Done) -> None:
        open_jobs: dict[tuple[int, int], Job] = {}
        all_taken = False
        raised_by_viva: list[Exception] = []
        made = deque[tuple[Attempt, Job]](maxlen=_LATEST)

        async def worked(job: Job) -> Attempt:
            attempt = await work(job)
            made.append((attempt, job))
            return attempt

        def handed_out() -> Iterator[Job]:
            nonlocal all_taken
            for job in jobs:
                open_jobs[job.index, job.run] = job
                yield job
            all_taken = True

        def finished(job: JsonValue, attempt: JsonValue) -> None:
            if not isinstance(job, Job) or not isinstance(attempt, Attempt):
                raise TypeError(f"done takes a job and its attempt, not {_kind_of(job)} and {_kind_of(attempt)}")
            if (job.index, job.run) not in open_jobs:
                raise ValueError(f"done was called twice for {job.case.id!r}")
            del open_jobs[job.index, job.run]
            _check_attempt(job, attempt, [of for one, of in made if one is attempt])
            # A run that is stopped raises in `done`: the plug-in only passes this on.
            with UserCode(lambda error: _noted(error, raised_by_viva)):
                done(job, attempt)

        with UserCode(lambda error: raised_by_viva[0] if raised_by_viva else _broken_run(self._plugin, error)):
            await self._executor.run(handed_out(), worked, finished)
            if open_jobs:
                raise ValueError(f"done was not called for {next(iter(open_jobs.values())).case.id!r}")
            if not all_taken:
                raise ValueError("it ended before it took all jobs")


def _check_attempt(job: Job, attempt: Attempt, made_of: list[Job]) -> None:
    """Raises ValueError for an attempt of another job, and for one that came back changed from another process."""
    own = [(of.index, of.run) for of in made_of]
    if own and (job.index, job.run) not in own:
        raise ValueError(f"done was called for {job.case.id!r} with the attempt of {made_of[0].case.id!r}")
    if not own:
        well_formed(attempt, shown=repr)
        if attempt.run != job.run or type(attempt.status) is not Status:
            raise ValueError(f"done was called for {job.case.id!r} with an attempt that is not of this job")


def _noted(error: BaseException, noted: list[Exception]) -> Exception:
    known = error if isinstance(error, Exception) else RuntimeError(str(error))
    noted.append(known)
    return known


def _calling(plugin: PlugIn) -> UserCode:
    return UserCode(lambda error: _call_failed(plugin, describe_exception(error)))


def _call_failed(plugin: PlugIn, why: str) -> CallFailed:
    return CallFailed(f"{plugin} does not work: {why}", fault="test")


def _broken_run(plugin: PlugIn, error: BaseException) -> VivaError:
    causes: tuple[BaseException, ...] = getattr(error, "exceptions", ())  # of a group of tasks
    if causes:
        return _broken_run(plugin, causes[0])
    if isinstance(error, VivaError):
        return error
    return VivaError(f"{plugin} does not work: {describe_exception(error)}", hint="the run is not complete")


def _checked_reply(reply: JsonValue, plugin: PlugIn) -> AgentReply:
    if not isinstance(reply, AgentReply):
        raise _call_failed(plugin, f"it returned {_kind_of(reply)} instead of an AgentReply")
    text: JsonValue = reply.text
    if not isinstance(text, str):
        raise _call_failed(plugin, f"the text of its AgentReply is {_kind_of(text)}")
    return _well_formed(reply, plugin)


def _well_formed(reply: R, plugin: PlugIn) -> R:
    try:
        return well_formed(reply)
    except Misfit as problem:
        raise _call_failed(plugin, f"its {type(reply).__name__} is not in order: {problem}") from None


def _kind_of(value: JsonValue) -> str:
    return "None" if value is None else f"an object of class {type(value).__name__}"
