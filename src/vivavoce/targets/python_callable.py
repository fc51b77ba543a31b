"""A Python function, object or class as the agent under test, called in this process."""

import inspect
import re
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, TypeGuard

from msgspec import Meta

from vivavoce.containment.captured_output import OutputLog, current_log
from vivavoce.containment.user_errors import UserCode, describe_exception, user_traceback
from vivavoce.containment.user_functions import UserFunction, all_of
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply, words_of_content
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.protocols import AgentCard, CallContext, Session, Surroundings, TargetSpec
from vivavoce.scripts.finder import find_object
from vivavoce.targets.call_payload import CallPayload
from vivavoce.targets.chunk_reading import read_chunks
from vivavoce.targets.printed import with_logs
from vivavoce.targets.pydantic_ai_agent import PydanticAiConversation, is_pydantic_ai_agent
from vivavoce.targets.reply_reading import read_reply

_TEXT_NAMES = frozenset({"text", "message", "prompt", "input"})
_LIKE_A_FUNCTION = re.compile(r"[^\s:?]+\.py|[^\s:?]+:[A-Za-z_][\w.]*")


class PythonFields(AgentFields, frozen=True, kw_only=True):
    """A Python function, object or class."""

    python: Annotated[str, Meta(description="`pkg.module:name` or `path/file.py:name`.")]


class PythonCallableTarget:
    """`python:pkg.module:name`, `python:path/file.py:name` or the live object itself.

    A class is made anew for each conversation.
    """

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        given = spec.config["python"]
        ref = (given if isinstance(given, str) else spec.id).removeprefix("python:")
        if ":" not in ref:
            raise UsageError(f"agent {spec.id!r} names no function", hint=f"write python:{ref}:FUNCTION")
        self._agent: Any = find_object(ref, surroundings.project) if isinstance(given, str) else given
        if not callable(self._agent) and not is_pydantic_ai_agent(self._agent):
            kind = type(self._agent).__name__
            raise UsageError(f"agent {spec.id!r}: {ref} is of type {kind}, which cannot be called")
        self._function = UserFunction(self._agent) if callable(self._agent) else None
        documented = (inspect.getdoc(self._agent) or "").partition("\n")[0]
        self.card = AgentCard(
            id=spec.id, kind="python", description=spec.config.get("description") or documented, where=ref
        )

    async def open(self, context: CallContext) -> Session:
        agent = self._agent
        if is_pydantic_ai_agent(agent):
            return PydanticAiSession(agent)
        assert self._function is not None
        if not isinstance(agent, type):
            return PythonSession(self._function, context)
        with UserCode(agent_problem):
            made = await self._function.call()
        if is_pydantic_ai_agent(made):
            return PydanticAiSession(made)
        if not callable(made):
            raise CallFailed(f"an object of class {agent.__name__} cannot be called", fault="agent")
        return PythonSession(UserFunction(made), context)

    async def close(self) -> None: ...


class PythonSession:
    """Calls the function once for each line."""

    def __init__(self, function: UserFunction, context: CallContext) -> None:
        self._function = function
        self._payload = CallPayload(context)
        self._wants_text = _wants_text(function)

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        with OutputLog() as log:
            context = self._payload.context(line, transcript)
            args = (_words(line),) if self._wants_text else (self._payload.messages(line, transcript), context)
            with UserCode(agent_problem):
                result = await self._function.call(*args, ctx=context)
                if _is_stream(result):
                    result = read_chunks(await all_of(result), line.text)
            return with_logs(read_reply(result, line.text), log)

    async def close(self) -> None: ...


class PydanticAiSession:
    """A pydantic-ai Agent keeps its own kind of history from line to line."""

    def __init__(self, agent: Any) -> None:
        self._conversation = PydanticAiConversation(agent)

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        with OutputLog() as log:
            with UserCode(agent_problem):
                reply = await self._conversation.say(line, transcript)
            return with_logs(read_reply(reply), log)

    async def close(self) -> None: ...


def agent_problem(error: BaseException) -> CallFailed:
    """The agent raised: one line for the result, its own lines of the traceback for the log."""
    if (log := current_log()) is not None:
        log.write(f"{user_traceback(error)}\n")
    return CallFailed(describe_exception(error), fault="agent")


def _words(line: Line) -> str:
    if type(line.content) is list and any(part.get("type") != "text" for part in line.content):
        kinds = words_of_content([part for part in line.content if part.get("type") != "text"]).replace("\n", ", ")
        raise CallFailed(f"the agent takes a text only, and not {kinds}", fault="test", hint="take `messages` instead")
    return line.text


def _is_stream(value: Any) -> TypeGuard[Iterator[Any] | AsyncIterator[Any]]:
    return isinstance(value, Iterator | AsyncIterator)


def _wants_text(function: UserFunction) -> bool:
    if function.takes != 1:
        return False
    only = function.parameters[0]
    return only.name in _TEXT_NAMES or only.annotation in (str, "str")


def _guess(name: str) -> str | None:
    if not _LIKE_A_FUNCTION.fullmatch(name):
        return None
    return f"python:{name}" if ":" in name else f"python:{name}:FUNCTION"


PYTHON = TargetKind(
    name="python",
    target=PythonCallableTarget,
    fields=PythonFields,
    example="python:module:function",
    guess=_guess,
    may_repeat=True,
)
