"""An agent of the OpenAI Agents SDK: its items, hand-offs, structured output and the approvals it waits for."""

from collections.abc import Iterator, Sequence
from importlib import import_module

from msgspec import Struct

from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.model.message import Content, ContentPart, Interrupt, Message
from vivavoce.targets.call_payload import plain_message
from vivavoce.targets.frameworks.approvals import decision
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered, each_agent
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_FAILED = ("An error occurred while running the tool", "Tool execution was not approved")
"""The SDK's text to the model when a tool failed or was refused; there is no other sign of it."""
_SILENT = frozenset({"reasoning_item", "mcp_list_tools_item", "compaction_item", "input_item", "tool_approval_item"})
_OUTPUTS = frozenset({"tool_call_output_item", "handoff_output_item", "tool_search_output_item"})
_NAMED = frozenset({"function_call", "custom_tool_call", "mcp_call"})
_CALLS = frozenset({"tool_call_item", "handoff_call_item", "tool_search_call_item"})


class Agent:
    one_turn = ""
    one_at_a_time = ""
    takes_deps = True

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent

    def open(self, opening: Opening) -> "OpenAiConversation":
        return OpenAiConversation(self._agent, opening.deps)


class OpenAiConversation:
    """The items of the last run go into the next; after a hand-off another agent answers."""

    def __init__(self, agent: Foreign, deps: Foreign) -> None:
        self._agent = agent
        self._deps = deps
        self._items: list[Foreign] | None = None
        self._stopped: Foreign = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        if self._items is None:
            self._items = [item for message in earlier for item in _items_of(message)]
        await self._run([*self._items, {"role": "user", "content": _content(content)}], seen, {"context": self._deps})

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        state = self._stopped.to_state()
        decided = {each.interrupt.id: decision(each.answer) for each in answers}
        for item in self._stopped.interruptions:
            decided_here = decided[_call_id(item.raw_item)]
            if decided_here.approved:
                state.approve(item)
            else:
                state.reject(item, **({"rejection_message": decided_here.reason} if decided_here.reason else {}))
        before = self._stopped.context_wrapper.usage
        spent = (before.input_tokens, before.output_tokens)
        await self._run(state, seen, {})
        # A resumed run counts earlier tokens again, and reports a refusal as a result.
        seen.spent(-spent[0], -spent[1])
        for call_id, decided_here in decided.items():
            if not decided_here.approved:
                seen.refused(call_id)

    async def close(self) -> None: ...

    async def _run(self, given: Foreign, seen: TurnRecord, more: Foreign) -> None:
        library = import_module("agents")
        watched = _watch(library.RunHooks, seen)
        silent = library.RunConfig(tracing_disabled=True)
        finished = False
        try:
            result = await library.Runner.run(self._agent, given, hooks=watched, run_config=silent, **more)
            finished = True
        finally:
            if not finished:
                read_hooked(watched.events, seen)
        self._items, self._agent = result.to_input_list(), result.last_agent
        self._stopped = result
        read_result(result, seen)


class _Event(Struct, frozen=True):
    call_id: str
    name: str
    args: Foreign
    result: Foreign


def _watch(hooks: Foreign, seen: TurnRecord) -> Foreign:
    """Hooks that note the calls and time them."""

    class Watching(hooks):
        def __init__(self) -> None:
            self.events: list[_Event] = []

        async def on_tool_start(self, context: Foreign, agent: Foreign, tool: Foreign) -> None:
            call_id = str(getattr(context, "tool_call_id", "") or "")
            seen.timed(call_id, started_ms=now_ms())
            args: Foreign = getattr(context, "tool_arguments", "") or {}
            self.events.append(_Event(call_id, str(tool.name), args, None))

        async def on_tool_end(self, context: Foreign, agent: Foreign, tool: Foreign, result: Foreign) -> None:
            call_id = str(getattr(context, "tool_call_id", "") or "")
            seen.timed(call_id, completed_ms=now_ms())
            self.events.append(_Event(call_id, str(tool.name), None, result))

    return Watching()


def read_hooked(events: Sequence[Foreign], seen: TurnRecord) -> None:
    """The calls of a run that raised, as its hooks noted them: its items are lost."""
    for event in events:
        if event.args is not None:
            seen.called(event.call_id, event.name, event.args)
        else:
            _returned(event.call_id, event.result, seen)


def read_result(result: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run."""
    texts = [text for item in result.new_items if (text := _read_item(item, seen))]
    output = result.final_output
    for item in result.interruptions:
        raw = item.raw_item
        name = str(_field(raw, "name") or "")
        payload = _field(raw, "arguments")
        call_id = _call_id(raw)
        seen.waits(Interrupt(id=call_id, reason="approval", tool_name=name, tool_call_id=call_id, payload=payload))
    for text in texts:
        seen.said(text)
    if isinstance(output, str):
        if not texts or texts[-1] != output:
            seen.said(output)
    elif output is not None:
        seen.answered(output)
    used = result.context_wrapper.usage
    seen.spent(used.input_tokens, used.output_tokens)


def _read_item(item: Foreign, seen: TurnRecord) -> str:
    """Notes a call, a result or a hand-off; returns the words of a message."""
    raw = item.raw_item
    if item.type == "message_output_item":
        for part in raw.content:
            if _field(part, "text") is None and _field(part, "refusal") is None:
                seen.missed(plain(part), "a part of a message")
        return "".join(str(_field(part, "text") or _field(part, "refusal") or "") for part in raw.content)
    if item.type in _CALLS:
        kind = str(_field(raw, "type") or "")
        # Hosted tools are named by their kind; a call of a function without its name may be any tool.
        name = _field(raw, "name") or ("" if kind in _NAMED else kind.removesuffix("_call"))
        seen.called(_call_id(raw), str(name), _field(raw, "arguments") or _field(raw, "action") or {})
    elif item.type in _OUTPUTS:
        output = getattr(item, "output", None) or _field(raw, "output")
        _returned(_call_id(raw), output, seen)
        if item.type == "handoff_output_item":
            seen.handed_over(item.target_agent.name, by=item.source_agent.name)
    elif item.type not in _SILENT:
        seen.missed(plain(raw), item.type, "call")
    return ""


def _returned(call_id: str, output: Foreign, seen: TurnRecord) -> None:
    failed = isinstance(output, str) and output.startswith(_FAILED)
    seen.returned(call_id, output, error=output if failed else None)


def _call_id(raw: Foreign) -> str:
    return str(_field(raw, "call_id") or _field(raw, "id") or "")


def _field(raw: Foreign, name: str) -> Foreign:
    return raw.get(name) if is_object(raw) else getattr(raw, name, None)


def _items_of(message: Message) -> list[JsonObject]:
    """A message of the case's history as the items that the SDK takes."""
    if message.role == "tool":
        return [{"type": "function_call_output", "call_id": message.tool_call_id, "output": message.text}]
    calls = [
        {"type": "function_call", "call_id": call.get("id"), **call.get("function", {})}
        for call in message.tool_calls or ()
    ]
    said = {"role": message.role, "content": _content(plain_message(message)["content"])}
    return [*([said] if message.content else []), *calls]


def _content(content: Content) -> str | list[JsonObject]:
    return content if isinstance(content, str) else [_part(part) for part in content]


def _part(part: ContentPart) -> JsonObject:
    match part:
        case {"type": "text", "text": text}:
            return {"type": "input_text", "text": text}
        case {"type": "image_url", "image_url": {"url": url}}:
            return {"type": "input_image", "image_url": url, "detail": "auto"}
        case {"type": "file", "file": {"url": str(url)}} if not url.startswith("data:"):
            return {"type": "input_file", "file_url": url}
        case {"type": "file", "file": {"url": data} | {"file_data": data}}:
            return {"type": "input_file", "file_data": data, "filename": part["file"].get("filename") or "file"}
        case _:
            return part


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, and those of the agents it may hand over to."""
    for one in each_agent(agent, lambda each: [other for other in each.handoffs if hasattr(other, "handoffs")]):
        for tool in one.tools:
            yield tool.name, getattr(tool, "params_json_schema", None)
