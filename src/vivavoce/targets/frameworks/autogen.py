"""AutoGen's agents and teams: the messages they stream."""

from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from importlib import import_module

from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.model.message import Content, Message, text_of_content
from vivavoce.targets.frameworks.content import is_words, words_and_pictures
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered, each_agent
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_USER = "user"
_SILENT = frozenset(
    {"ThoughtEvent", "MemoryQueryEvent", "ModelClientStreamingChunkEvent", "SelectSpeakerEvent", "SelectorEvent"}
    | {"UserInputRequestedEvent"}
)


class Agent:
    """An AssistantAgent is copied for each conversation. Anything else is shared: its state is put in and taken out."""

    one_turn = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        self._is_copied = hasattr(agent, "_model_context")
        self._saves = agent.save_state.__func__.__qualname__ != "BaseChatAgent.save_state"
        self._is_open = False
        self.one_at_a_time = "" if self._is_copied else f"a {type(agent).__name__} keeps its conversation in the object"

    def open(self, opening: Opening) -> "AutogenConversation":
        if self._is_copied:
            own = copy(self._agent)
            own._model_context = deepcopy(self._agent._model_context)
            return AutogenConversation(own, shared=False)
        if self._is_open and not self._saves:
            what = f"a {type(self._agent).__name__} has no save_state of its own, so its conversations would mix"
            raise CallFailed(what, fault="test", hint="name a function or class that makes a new agent")
        self._is_open = True
        return AutogenConversation(self._agent, shared=True)


class AutogenConversation:
    """The object remembers."""

    def __init__(self, agent: Foreign, *, shared: bool) -> None:
        self._agent = agent
        self._shared = shared
        self._state: Foreign = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        before = [_message(each.content, _source(each, self._agent)) for each in earlier]
        task = [*before, _message(content, _USER)]
        if self._shared:
            await self._enter()
        result: Foreign = None
        async for event in self._agent.run_stream(task=task):
            if type(event).__name__ == "TaskResult":
                result = event
            else:
                read_message(event, seen)
        if self._shared:
            self._state = await self._agent.save_state()
        read_end(result, seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...

    async def _enter(self) -> None:
        if self._state is not None:
            await self._agent.load_state(self._state)
        elif hasattr(self._agent, "reset"):
            await self._agent.reset()
        else:
            await self._agent.on_reset(import_module("autogen_core").CancellationToken())


def read_result(result: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run."""
    for message in result.messages:
        read_message(message, seen)
    read_end(result, seen)


def read_end(result: Foreign, seen: TurnRecord) -> None:
    """The answer of a run is its last message; an object where that is a StructuredMessage."""
    seen.finish_reason = result.stop_reason
    last = result.messages[-1] if result.messages else None
    if last is not None and type(last).__name__.startswith("StructuredMessage"):
        seen.answered(last.content)


def read_message(message: Foreign, seen: TurnRecord) -> None:
    """One message or event."""
    if used := message.models_usage:
        seen.spent(used.prompt_tokens, used.completion_tokens)
    kind = type(message).__name__
    if kind == "ToolCallRequestEvent":
        for call in message.content:
            seen.called(call.id, call.name, call.arguments or {}, now_ms())
    elif kind == "ToolCallExecutionEvent":
        for told in message.content:
            failed = str(told.content) if told.is_error else None
            seen.returned(told.call_id, told.content, error=failed, name=told.name, at_ms=now_ms())
    elif kind in ("CodeGenerationEvent", "CodeExecutionEvent"):
        seen.missed(message.to_text(), "code that the agent runs", "call")
    elif kind.endswith("Event"):
        if kind not in _SILENT:
            seen.missed(plain(str(message)), kind, "call")
    elif message.source != _USER:
        seen.said(message.to_text())
        if kind == "HandoffMessage":
            seen.handed_over(message.target, by=message.source)


def _message(content: Content, source: str) -> Foreign:
    """A message of AutoGen: a text, or texts and pictures."""
    library = import_module("autogen_agentchat.messages")
    if is_words(content):
        return library.TextMessage(content=text_of_content(content), source=source)
    image = import_module("autogen_core").Image
    pieces = words_and_pictures(content, "AutoGen")
    made = [piece if isinstance(piece, str) else image.from_base64(piece.base64) for piece in pieces]
    return library.MultiModalMessage(content=made, source=source)


def _source(message: Message, agent: Foreign) -> str:
    return agent.name if message.role == "assistant" else _USER


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, or the members of a team do."""
    for one in each_agent(agent, lambda each: getattr(each, "_participants", ())):
        for tool in (*getattr(one, "_tools", ()), *getattr(one, "_handoff_tools", ())):
            yield tool.name, tool.schema.get("parameters")
