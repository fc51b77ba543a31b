"""A Python function, object or class as the agent under test, called in this process."""

import inspect
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

from msgspec import Meta

from vivavoce.containment.captured_output import OutputLog
from vivavoce.containment.user_errors import UserCode
from vivavoce.containment.user_functions import UserFunction, collect
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import AgentReply, words_of_content
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.declarations import AgentFields, TargetKind, always
from vivavoce.protocols import AgentCard, CallContext, Session, Surroundings, TargetSpec, ToolSpec
from vivavoce.scripts.finder import find_object, find_script
from vivavoce.targets.agent_problem import agent_problem
from vivavoce.targets.call_payload import CallPayload
from vivavoce.targets.chunk_reading import chunks_so_far, read_chunks
from vivavoce.targets.frameworks.on_demand import FrameworkObjects, known_result
from vivavoce.targets.printed import with_logs
from vivavoce.targets.reply_reading import read_reply

if TYPE_CHECKING:
    from vivavoce.targets.frameworks.session import FrameworkSession

_TEXT_NAMES = frozenset({"text", "message", "prompt", "input"})
_AGENT_CODE = UserCode(agent_problem)
_LIKE_A_FUNCTION = r"[^\s:?]+\.py|[^\s:?]+:[A-Za-z_][\w.]*"


class PythonFields(AgentFields, frozen=True, kw_only=True):
    """A Python function, object or class."""

    python: Annotated[str, Meta(description="`pkg.module:name` or `path/file.py:name`.")]
    deps: Annotated[
        str | None,
        Meta(
            description="A function that makes the `deps` or `context` of a framework's agent, for each conversation."
        ),
    ] = None


_NOT_TOLD = (
    "it is an object that is not told about a case; name a function that takes the context and returns it, or `deps:`"
)


class PythonCallableTarget:
    """`python:pkg.module:name`, `python:path/file.py:name` or the live object itself.

    A class is made anew for each conversation. A framework's agent is run as that framework runs it.
    """

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        given = spec.config["python"]
        ref = (given if isinstance(given, str) else spec.id).removeprefix("python:")
        if ":" not in ref:
            raise UsageError(f"agent {spec.id!r} names no function", hint=f"write python:{ref}:FUNCTION")
        self._agent: Any = find_object(ref, surroundings.project) if isinstance(given, str) else given
        deps = spec.config.get("deps")
        self._objects = FrameworkObjects(find_script(deps, surroundings.project) if deps else None)
        self._framework = self._objects.get(self._agent, f"agent {spec.id!r}: {ref}")
        if self._framework is None and (problem := _uncallable(self._agent, ref)) is not None:
            raise UsageError(f"agent {spec.id!r}: {ref} {problem[0]}", hint=problem[1])
        self._function = _Callable(self._agent) if self._framework is None else None
        known = self._framework
        documented = known.description if known else (inspect.getdoc(self._agent) or "").partition("\n")[0]
        self.card = AgentCard(
            id=spec.id,
            kind="python",
            description=spec.config.get("description") or documented,
            where=ref,
            one_turn=known.one_turn if known else "",
            no_workspace=_NOT_TOLD if known and not deps else "",
        )

    async def list_tools(self) -> tuple[ToolSpec, ...]:
        """protocols.ListsTools: the tools of a framework's agent; a function does not say which it has."""
        return () if self._framework is None else self._framework.tools()

    async def open(self, context: CallContext) -> Session:
        agent = self._agent
        if self._framework is not None:
            return await self._framework.open(context)
        assert self._function is not None
        if not isinstance(agent, type):
            return PythonSession(self._function, context, self._objects)
        with _AGENT_CODE:
            made = await self._function.call()
        if (known := self._objects.get(made, f"what {agent.__name__}() makes")) is not None:
            return await known.open(context)
        if not callable(made):
            what = f"an object of class {agent.__name__} cannot be called"
            raise CallFailed(
                what, fault="test", hint="name a function, or a method of an object: file.py:object.method"
            )
        return PythonSession(_Callable(made), context, self._objects)

    async def close(self) -> None: ...


class _Callable(UserFunction):
    """An agent that is called, and what it wants to be told."""

    __slots__ = ("wants_context", "wants_text")

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self.wants_text = _wants_text(self)
        self.wants_context = self.takes_context or (not self.wants_text and self.takes not in (0, 1))


class PythonSession:
    """Calls the function once for each line. One that returns a framework's agent makes it for this conversation."""

    __slots__ = ("_chunks", "_context", "_function", "_made", "_objects", "_payload")

    def __init__(self, function: _Callable, context: CallContext, objects: FrameworkObjects) -> None:
        self._function = function
        self._objects = objects
        self._context = context
        self._made: FrameworkSession | None = None
        self._payload = CallPayload(context)
        self._chunks: list[Any] = []
        """What a generator has yielded of this turn."""

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke."""
        return chunks_so_far(self._chunks) if self._made is None else self._made.so_far()

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        if self._made is not None:
            return await self._made.send(line, transcript)
        chunks: list[Any] = []
        self._chunks = chunks
        function = self._function
        with OutputLog() as log:
            context = self._payload.context(line, transcript) if function.wants_context else None
            args = (_words(line),) if function.wants_text else (self._payload.messages(line, transcript), context)
            with _AGENT_CODE:
                result = await function.call(*args, ctx=context)
                if type(result) is not str and _is_stream(result):
                    await collect(result, chunks)
                    result = known_result(chunks) or read_chunks(chunks, line.text)
            if type(result) is str or (made := self._objects.get(result, "what the function returns")) is None:
                return with_logs(read_reply(known_result(result) or result, line.text), log)
        self._made = await made.open(self._context)
        return await self._made.send(line, transcript)

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()


def _uncallable(agent: object, ref: str) -> tuple[str, str] | None:
    """Why the thing cannot be called as it is named, and what to name instead; None when it can."""
    if not callable(agent):
        kind = type(agent)
        own = vars(kind).items()
        known = [name for name, value in own if inspect.isfunction(value) and not name.startswith("_")]
        hint = f"name a function, or one of its methods: {', '.join(f'{ref}.{name}' for name in known[:3])}"
        return f"is of type {kind.__name__}, which cannot be called", hint if known else "name a function"
    if inspect.isfunction(agent) and next(iter(inspect.signature(agent).parameters), "") == "self":
        return "is a method without its object", "name it on an object of the file: file.py:object.method"
    return _unmakeable(agent, ref) if isinstance(agent, type) else None


def _unmakeable(kind: type, ref: str) -> tuple[str, str] | None:
    """Why a class cannot be made and called for each conversation, as far as that is known without making it."""
    if type(kind) is not type or any("__new__" in vars(base) for base in kind.__mro__[:-1]):
        return None  # making an object may return anything
    place = ref.rpartition(":")[0]
    with suppress(ValueError, TypeError):
        needed = [
            one.name
            for one in inspect.signature(kind).parameters.values()
            if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        ]
        if needed:
            hint = f"make an object in the file, bot = {kind.__name__}(…), and name it: {place}:bot"
            return f"is a class that needs {', '.join(needed)} to be made", hint
    is_own = all(base.__module__ == kind.__module__ for base in kind.__mro__[:-1])
    if is_own and not any("__call__" in vars(base) for base in kind.__mro__):
        methods = [name for name, value in vars(kind).items() if inspect.isfunction(value) and name[0] != "_"]
        example = f"bot = {kind.__name__}() in the file and {place}:bot.{next(iter(methods), 'method')}"
        return (
            "is a class whose objects cannot be called",
            f"give it __call__(self, messages), or name a method: {example}",
        )
    return None


def _words(line: Line) -> str:
    if type(line.content) is list and any(part.get("type") != "text" for part in line.content):
        kinds = words_of_content([part for part in line.content if part.get("type") != "text"]).replace("\n", ", ")
        raise CallFailed(f"the agent takes a text only, and not {kinds}", fault="test", hint="take `messages` instead")
    return line.text


def _is_stream(value: Any) -> TypeGuard[Iterator[Any] | AsyncIterator[Any]]:
    return isinstance(value, (Iterator, AsyncIterator))


def _wants_text(function: UserFunction) -> bool:
    if function.takes != 1:
        return False
    only = function.parameters[0]
    return only.name in _TEXT_NAMES or only.annotation in (str, "str")


def _guess(name: str) -> str | None:
    if not re.fullmatch(_LIKE_A_FUNCTION, name):
        return None
    return f"python:{name}" if ":" in name else f"python:{name}:FUNCTION"


PYTHON = TargetKind(
    name="python",
    target=PythonCallableTarget,
    fields=PythonFields,
    example="python:module:function",
    guess=_guess,
    takes_workspace=always,
    runs="here",
    may_repeat=True,
)
