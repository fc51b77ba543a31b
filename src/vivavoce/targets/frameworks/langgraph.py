"""A LangGraph graph or LangChain agent, compiled: its state's messages, structured response and interrupts."""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module

from vivavoce.errors import CallFailed, UsageError
from vivavoce.metering.clock import now_ms
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, iter_texts, text_of
from vivavoce.model.message import Content, Interrupt, Message, ToolCall
from vivavoce.notation.content_parts import id_of, read_parts
from vivavoce.notation.hidden_calls import looks_like_calls
from vivavoce.targets import foreign_replies
from vivavoce.targets.call_payload import plain_message
from vivavoce.targets.frameworks.approvals import decision
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

STRUCTURED = "Returning structured response"
"""How the made-up tool answers that only hands over structured output."""
_DECISIONS = ("approve", "reject", "edit", "respond")
_OFFERS = re.compile("available|allowed|selected|offered|bound|enabled|description", re.IGNORECASE)
"""Keys under which a state lists tools that may be called."""
_OF_THE_LIBRARY = frozenset({"messages", "structured_response", "__interrupt__", "jump_to", "remaining_steps"})


class Agent:
    one_turn = ""
    one_at_a_time = ""
    takes_deps = True

    def __init__(self, agent: Foreign) -> None:
        if "messages" not in agent.channels:
            keys = ", ".join(sorted(key for key in agent.channels if not key.startswith(("_", "branch:"))))
            what = f"the graph's state has no `messages`, only {keys}"
            raise UsageError(what, hint="name a function that takes the text and calls the graph")
        self._graph = agent

    def open(self, opening: Opening) -> "LangGraphConversation":
        return LangGraphConversation(self._graph, opening)


class LangGraphConversation:
    """A graph with a checkpointer remembers by its thread; any other gets all earlier messages again."""

    def __init__(self, graph: Foreign, opening: Opening) -> None:
        thread_id = opening.context.thread_id or opening.context.session_id
        self._graph = graph
        self._config = {"configurable": {"thread_id": thread_id}}
        self._more: dict[str, Foreign] = {} if opening.deps is None else {"context": opening.deps}
        self._remembers = bool(getattr(graph, "checkpointer", None))
        self._kept: list[Foreign] = []
        self._inner: set[str | int] = set()
        """The ids of messages that graphs inside this one kept to themselves."""

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        new = {"role": "user", "content": content}
        before = [plain_message(message) for message in earlier]
        await self._run({"messages": [*before, *([] if self._remembers else self._kept), new]}, seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        if not self._remembers:
            hint = "compile the graph with a checkpointer, such as InMemorySaver()"
            raise CallFailed("the graph stopped for an answer and cannot go on", fault="agent", hint=hint)
        given = resume_values(answers)
        value = given if len(given) > 1 else next(iter(given.values()))
        await self._run(import_module("langgraph.types").Command(resume=value), seen)

    async def close(self) -> None: ...

    async def _run(self, given: Foreign, seen: TurnRecord) -> None:
        known = set(_by_id(self._kept))
        state: dict[str, Foreign] = {}
        inner: dict[str | int, Foreign] = {}
        try:
            # Each value is the whole state of a graph, also the last one before something raises.
            streamed = self._graph.astream(given, self._config, stream_mode="values", subgraphs=True, **self._more)
            async for place, told in streamed:
                if place:
                    inner |= _by_id(_messages_in(told))
                    continue
                state = told
                self._kept = _messages_in(state)
                all_of_them = _by_id(self._kept)
                read_messages([message for name, message in all_of_them.items() if name not in known], seen)
                known |= all_of_them.keys()
        finally:
            untold = [message for name, message in inner.items() if name not in known | self._inner]
            self._inner |= inner.keys()
            if untold:
                read_inner(untold, seen)
        read_state(state, seen)
        self._doubt_bare_names(seen)

    def _doubt_bare_names(self, seen: TurnRecord) -> None:
        """Keeps parts of the state as unread that name a tool of the graph of which no call was seen."""
        uncalled = tool_names(self._graph) - seen.called_names
        for key, value in (seen.state if is_object(seen.state) else {}).items():
            if not _OFFERS.search(key) and not uncalled.isdisjoint(iter_texts(value)):
                seen.missed(value, f"$.{key}: the name of a tool", "call")


def tool_names(graph: Foreign) -> set[str]:
    """The tools that nodes of a graph run; empty where they cannot be known."""
    nodes: dict[str, Foreign] = getattr(graph, "nodes", None) or {}
    bound: list[Foreign] = [getattr(node, "bound", None) for node in nodes.values()]
    return {str(name) for node in bound for name in getattr(node, "tools_by_name", None) or ()}


def _messages_in(state: Foreign) -> list[Foreign]:
    messages = state.get("messages") if is_object(state) else None
    return list(import_module("langchain_core.messages").convert_to_messages(messages or ()))


def _by_id(messages: Sequence[Foreign]) -> dict[str | int, Foreign]:
    """Each message by its id; one that a graph gave none by its place."""
    return {message.id or at: message for at, message in enumerate(messages)}


def read_messages(messages: Sequence[Foreign], seen: TurnRecord) -> None:
    """What new messages of the state say and do."""
    for message in messages:
        if message.type == "ai":
            seen.said(str(message.text))
            for call in [*message.tool_calls, *message.invalid_tool_calls]:
                seen.called(call["id"] or "", call["name"], call["args"], now_ms())
            _read_calls_in_content(message, seen)
            if used := message.usage_metadata:
                seen.spent(used["input_tokens"], used["output_tokens"])
        elif message.type == "tool":
            failed = getattr(message, "status", "success") == "error"
            error = text_of(plain(message.content)) if failed else None
            seen.returned(message.tool_call_id, message.content, error=error, name=message.name or "", at_ms=now_ms())


def read_inner(messages: Sequence[Foreign], seen: TurnRecord) -> None:
    """The calls of a graph that a node ran, of which the outer state has only the outcome. Its words are its own."""
    told = seen.called_ids
    for message in messages:
        calls = [*message.tool_calls, *message.invalid_tool_calls] if message.type == "ai" else []
        for call in calls:
            if not call["id"] or call["id"] not in told:
                seen.called(call["id"] or "", call["name"], call["args"], now_ms())
        if message.type == "tool" and message.tool_call_id not in told:
            failed = getattr(message, "status", "success") == "error"
            error = text_of(plain(message.content)) if failed else None
            seen.returned(message.tool_call_id, message.content, error=error, name=message.name or "", at_ms=now_ms())


def _read_calls_in_content(message: Foreign, seen: TurnRecord) -> None:
    """Calls among the parts of the content that `tool_calls` does not have, such as those the provider made itself."""
    content: JsonValue = plain(getattr(message, "content", None))
    known = {call["id"] for call in [*message.tool_calls, *message.invalid_tool_calls]}
    parts = content if is_array(content) else []
    for call in read_parts(parts).calls:
        name, call_id = call.get("name"), id_of(call)
        if call_id and call_id in known:
            continue
        if not isinstance(name, str) or not name:
            seen.missed(call, "a call in the content", "call")
            continue
        seen.called(call_id, name, call.get("input", call.get("args")), now_ms())
        for part in parts:
            if call_id and is_object(part) and part.get("tool_use_id") == call_id:
                seen.returned(call_id, part.get("content"), name=name, at_ms=now_ms())


def read_state(state: dict[str, Foreign], seen: TurnRecord) -> None:
    """What the last state holds besides messages."""
    structured = state.get("structured_response")
    if structured is not None:
        seen.answered(structured)
        seen.drop(lambda call: hands_over(call, structured))
    for interrupt in state.get("__interrupt__") or ():
        for each in _waiting(interrupt.id, plain(interrupt.value)):
            seen.waits(each)
    rest: JsonObject = {key: plain(value) for key, value in state.items() if key not in _OF_THE_LIBRARY}
    if rest:
        seen.state = rest
    for key, value in rest.items():
        if looks_like_calls({key: value}):
            seen.suspected(value, f"$.{key}", under=key)


def hands_over(call: ToolCall, structured: Foreign) -> bool:
    """Whether the library made the call up to get structured output: the user has no such tool."""
    if is_object(structured):
        return foreign_replies.hands_over(call, structured)
    named = call.name == type(structured).__name__
    return named and isinstance(call.result, str) and call.result.startswith(STRUCTURED)


def resume_values(answers: Sequence[Resumption]) -> dict[str, JsonValue]:
    """What each interrupt is resumed with; a middleware's interrupt may ask about several calls."""
    given: dict[str, JsonValue] = {}
    for each in answers:
        name, _, asked = each.interrupt.id.partition("#")
        if asked:
            given.setdefault(name, {"decisions": []})["decisions"].append(_decision(each.answer))
        else:
            given[name] = {"cancelled": True} if each.answer.cancelled else each.answer.payload
    return given


def _waiting(name: str, value: JsonValue) -> Iterator[Interrupt]:
    asked: JsonValue = value.get("action_requests") if is_object(value) else None
    if is_array(asked) and all(is_object(action) and action.get("name") for action in asked):
        for number, action in enumerate(asked, 1):
            said = action.get("description")
            yield Interrupt(
                id=f"{name}#{number}",
                reason="approval",
                message=said if isinstance(said, str) else None,
                tool_name=str(action["name"]),
                payload=action.get("args"),
            )
        return
    told = value if is_object(value) else {}
    reason, words = told.get("reason"), told.get("message", value if isinstance(value, str) else None)
    yield Interrupt(
        id=name,
        reason=reason if isinstance(reason, str) else None,
        message=words if isinstance(words, str) else None,
        payload=value,
    )


def _decision(answer: ResumeAnswer) -> JsonObject:
    payload = answer.payload
    if is_object(payload) and payload.get("type") in _DECISIONS:
        return payload
    if is_object(payload) and is_array(payload.get("decisions")) and len(payload["decisions"]) == 1:
        return payload["decisions"][0]
    decided = decision(answer)
    refusal = {"type": "reject", **({"message": decided.reason} if decided.reason else {})}
    return {"type": "approve"} if decided.approved else refusal


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model: those of its tool nodes, also in graphs inside it."""
    for node in agent.nodes.values():
        inner = node.bound
        if hasattr(inner, "tools_by_name"):
            for name, tool in inner.tools_by_name.items():
                schema = tool.tool_call_schema
                yield name, schema.model_json_schema() if hasattr(schema, "model_json_schema") else schema
        elif hasattr(inner, "nodes"):
            yield from tools_of(inner)
