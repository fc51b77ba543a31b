"""An agent or AgentWorkflow of LlamaIndex: its events, structured response, and what it asks a person."""

from collections.abc import Iterator, Sequence
from importlib import import_module

from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonObject, is_object, text_of
from vivavoce.model.message import Content, Interrupt, Message, text_of_content
from vivavoce.targets.frameworks.content import Media, is_words, pieces_of
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered, function_schema
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_ALL_TOKENS = 10**9
"""How much a conversation's memory holds: everything, as the agent's own would within one run."""
_HANDOFF = "handoff"
_USAGE = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))


class Agent:
    one_turn = ""
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent

    def open(self, opening: Opening) -> "LlamaIndexConversation":
        return LlamaIndexConversation(self._agent, opening)


class LlamaIndexConversation:
    """A Memory of its own keeps the history. While the agent asks a person, its run stays alive and waits."""

    def __init__(self, agent: Foreign, opening: Opening) -> None:
        memory = import_module("llama_index.core.memory").Memory
        self._agent = agent
        self._memory = memory.from_defaults(session_id=opening.context.session_id, token_limit=_ALL_TOKENS)
        self._running: Foreign = None
        self._events: Foreign = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        given = text_of_content(content) if is_words(content) else _message("user", content)
        if earlier:
            await self._memory.aput_messages([_message(each.role, each.content) for each in earlier])
        self._running = self._agent.run(given, memory=self._memory)
        self._events = self._running.stream_events()
        await self._read_on(seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        event = import_module("llama_index.core.workflow").HumanResponseEvent
        for each in answers:
            payload = "cancelled by the user" if each.answer.cancelled else each.answer.payload
            given = payload if is_object(payload) and "response" in payload else {"response": _in_words(payload)}
            self._running.ctx.send_event(event(**given))
        await self._read_on(seen)

    async def close(self) -> None:
        if self._running is not None and not self._running.is_done():
            await self._running.cancel_run()

    async def _read_on(self, seen: TurnRecord) -> None:
        async for event in self._events:
            read_event(event, seen)
            if seen.interrupts:
                return
        read_structured(await self._running, seen)


def _message(role: str, content: Content) -> Foreign:
    """A message of LlamaIndex: of words alone, or of blocks."""
    library = import_module("llama_index.core.llms")
    if is_words(content):
        return library.ChatMessage(role=role, content=text_of_content(content))
    return library.ChatMessage(role=role, blocks=[_block(each, library) for each in pieces_of(content, "LlamaIndex")])


def _block(piece: str | Media, library: Foreign) -> Foreign:
    if isinstance(piece, str):
        return library.TextBlock(text=piece)
    if piece.kind == "image":
        told = {"url": piece.url} if piece.url else {"image": piece.data}
        return library.ImageBlock(**told, image_mimetype=piece.media_type or None)
    if piece.kind == "audio":
        return library.AudioBlock(audio=piece.data, format=piece.format)
    document = import_module("llama_index.core.base.llms.types").DocumentBlock
    told = {"url": piece.url} if piece.url else {"data": piece.data}
    return document(**told, title=piece.name or None, document_mimetype=piece.media_type or None)


def read_event(event: Foreign, seen: TurnRecord) -> None:
    """One event of a run."""
    kind = type(event).__name__
    if kind == "ToolCall":
        seen.called(event.tool_id, event.tool_name, event.tool_kwargs, now_ms())
        if event.tool_name == _HANDOFF:
            seen.handed_over(str(event.tool_kwargs.get("to_agent") or ""))
    elif kind == "ToolCallResult":
        _returned(event, seen, now_ms())
    elif kind == "AgentOutput":
        seen.said(event.response.content or "")
        _spent(event.raw, seen)
    elif _asks(event):
        told = plain(event.model_dump(mode="json")) if hasattr(event, "model_dump") else None
        asked = getattr(event, "prefix", None)
        seen.waits(Interrupt(id=kind, reason="input", message=asked or None, payload=told))


def read_result(result: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run, where its events were not read."""
    for call in result.tool_calls or ():
        seen.called(call.tool_id, call.tool_name, call.tool_kwargs)
        if hasattr(call, "tool_output"):
            _returned(call, seen, None)
    seen.said(result.response.content or "")
    _spent(result.raw, seen)
    read_structured(result, seen)


def read_structured(result: Foreign, seen: TurnRecord) -> None:
    """The structured response, which no event tells."""
    if result.structured_response is not None:
        seen.answered(result.structured_response)


def _returned(call: Foreign, seen: TurnRecord, at_ms: float | None) -> None:
    output = call.tool_output
    error = (output.content or "the tool failed") if output.is_error else None
    seen.returned(call.tool_id, output.content, error=error, name=call.tool_name, at_ms=at_ms)


def _asks(event: Foreign) -> bool:
    return any(parent.__name__ == "InputRequiredEvent" for parent in type(event).__mro__)


def _spent(raw: Foreign, seen: TurnRecord) -> None:
    """Tokens in the provider's own shape: an object or a dict with `usage`."""
    usage = raw.get("usage") if is_object(raw) else getattr(raw, "usage", None)
    told: JsonObject = usage if is_object(usage) else plain(usage) if usage is not None else {}
    if not is_object(told):
        return
    counts = [next((told[name] for name in names if isinstance(told.get(name), int)), None) for names in _USAGE]
    if counts != [None, None]:
        seen.spent(*counts)


def _in_words(payload: Foreign) -> str:
    if isinstance(payload, bool):
        return "yes" if payload else "no"
    return payload if isinstance(payload, str) else text_of(payload)


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, or its agents do."""
    agents = agent.agents.values() if hasattr(agent, "agents") else [agent]
    for tool in [tool for one in agents for tool in one.tools or ()]:
        if hasattr(tool, "metadata"):
            yield tool.metadata.name, tool.metadata.get_parameters_dict()
        else:
            yield tool.__name__, function_schema(tool)
