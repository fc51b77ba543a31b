"""Recognises tool calls, model calls, hand-offs and agents in the spans of each instrumentation."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.sight.spans import unwrapping
from vivavoce.sight.spans.span import Span
from vivavoce.sight.spans.unwrapping import data, first_of, objects_in

_MODEL_OPERATIONS = frozenset({"chat", "generate_content", "text_completion", "completion"})
_AGENT_OPERATIONS = frozenset(
    {"invoke_agent", "create_agent", "invoke_workflow", "execute_event_loop_cycle", "agent_step"}
)
_ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments", "gcp.vertex.agent.tool_call_args")
_RESULTS = ("gen_ai.tool.call.result", "tool_response", "gcp.vertex.agent.tool_response")
_INPUT = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_OUTPUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_LOGFIRE_AGENTS = "logfire.openai_agents"
_MERGED = "(merged tools)"
"""ADK's name for a summary of parallel calls, which is not a call."""
CONVERSATIONS = (
    "gen_ai.conversation.id",
    "session.id",
    "ai.telemetry.metadata.sessionId",
    "group_id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.thread_id",
    "langsmith.metadata.session_id",
    "langsmith.metadata.thread_id",
)
"""Attributes that name the conversation, in the order to try."""


class SpanCall(Struct, frozen=True, kw_only=True):
    """A tool call in a span. `args` and `result` are None when the span does not have them."""

    span: Span
    name: str
    id: str | None = None
    args: JsonValue = None
    result: JsonValue = None
    error: str | None = None


class Asked(Struct, frozen=True):
    """A call that a model asked for."""

    id: str | None
    name: str
    args: JsonValue


class ModelCall(Struct, frozen=True):
    model: str | None
    input_tokens: int
    output_tokens: int


class HandOff(Struct, frozen=True):
    to: str | None
    by: str | None


def tool_call(span: Span) -> SpanCall | None:
    """Reads the span as a tool call; None for another span."""
    a = span.attributes
    raw_args: JsonValue
    raw_result: JsonValue
    call_id: JsonValue = None
    if a.get("openinference.span.kind") == "TOOL" and a.get("tool.name"):
        name, raw_args, raw_result = a["tool.name"], a.get("input.value"), a.get("output.value")
        call_id = a.get("tool_call.id")
    elif "ai.toolCall.name" in a:
        name, raw_args, raw_result = a["ai.toolCall.name"], a.get("ai.toolCall.args"), a.get("ai.toolCall.result")
        call_id = a.get("ai.toolCall.id")
    elif span.scope == _LOGFIRE_AGENTS and _template(span).startswith("Function:"):
        name, raw_args, raw_result = a.get("name"), a.get("input"), a.get("output")
    elif a.get("gen_ai.tool.name") and a.get("gen_ai.operation.name", "execute_tool") == "execute_tool":
        name, call_id = a["gen_ai.tool.name"], a.get("gen_ai.tool.call.id")
        if is_summary(span):
            return None
        raw_args, raw_result = _conventional(span)
    elif a.get("traceloop.span.kind") == "tool":
        name = a.get("traceloop.entity.name")
        raw_args, raw_result = a.get("traceloop.entity.input"), a.get("traceloop.entity.output")
    else:
        return None
    args, result = unwrapping.arguments(raw_args), unwrapping.result(raw_result)
    error = _error_of(span)
    return SpanCall(
        span=span,
        name=str(name or ""),
        id=str(call_id) if call_id else args.call_id or result.call_id,
        args=args.value,
        result=None if error is not None and result.value == {} else result.value,
        error=error,
    )


def is_summary(span: Span) -> bool:
    """Whether a span only sums up calls that have their own spans."""
    return span.attributes.get("gen_ai.tool.name") == _MERGED


def _conventional(span: Span) -> tuple[JsonValue, JsonValue]:
    a = span.attributes
    if "langsmith.span.kind" in a:
        return a.get("gen_ai.prompt"), a.get("gen_ai.completion")
    args, result = first_of(a, _ARGUMENTS), first_of(a, _RESULTS)
    if args is None:
        args = span.event("gen_ai.tool.message", "content")
    return args, span.event("gen_ai.choice", "message") if result is None else result


def model_call(span: Span) -> ModelCall | None:
    """Reads the span as one model call; None for other spans, also for those of agents, which repeat the sum."""
    a = span.attributes
    if a.get("openinference.span.kind") == "LLM":
        return _model(a, a.get("llm.model_name"))
    if str(a.get("ai.operationId", "")).endswith((".doGenerate", ".doStream")):
        return _model(a, a.get("ai.response.model"))
    is_logfire = span.scope == _LOGFIRE_AGENTS and "gen_ai.request.model" in a
    if _operation(a) in _MODEL_OPERATIONS or is_logfire:
        return _model(a, a.get("gen_ai.response.model") or a.get("gen_ai.request.model"))
    return None


def _operation(a: JsonObject) -> str:
    """The operation of a span, as text: attributes may also be lists and objects."""
    return str(a.get("gen_ai.operation.name", ""))


def _model(a: JsonObject, name: JsonValue) -> ModelCall:
    return ModelCall(str(name) if name else None, _count(first_of(a, _INPUT)), _count(first_of(a, _OUTPUT)))


def _count(value: JsonValue) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def asked_by(span: Span) -> Iterator[Asked]:
    """The calls in a model's answer: they have the arguments when the tool's span does not."""
    a = span.attributes
    for raw in (a.get("gen_ai.output.messages"), *(event.get("gen_ai.output.messages") for _, event in span.events)):
        for message in objects_in(data(raw)):
            for part in objects_in(message.get("parts")):
                if part.get("type") == "tool_call":
                    yield _asked(part.get("id"), part.get("name"), part.get("arguments"))
    calls: dict[str, JsonObject] = {}
    for key, value in a.items():  # gen_ai.completion.0.tool_calls.0.name, as older Traceloop writes it
        where, _, field = key.rpartition(".")
        if key.startswith("gen_ai.completion.") and ".tool_calls." in where:
            calls.setdefault(where, {})[field] = value
    for call in calls.values():
        yield _asked(call.get("id"), call.get("name"), call.get("arguments", "{}"))
    calls.clear()
    for key, value in a.items():  # llm.output_messages.0.message.tool_calls.1.tool_call.function.name, with gaps
        if key.startswith("llm.output_messages.") and ".tool_call." in key:
            where, _, field = key.rpartition(".tool_call.")
            calls.setdefault(where, {})[field] = value
    for call in calls.values():
        yield _asked(call.get("id"), call.get("function.name"), call.get("function.arguments", "{}"))
    for call in objects_in(data(a.get("ai.response.toolCalls"))):
        yield _asked(call.get("toolCallId"), call.get("toolName"), call.get("input", call.get("args")))


def _asked(call_id: JsonValue, name: JsonValue, args: JsonValue) -> Asked:
    return Asked(str(call_id) if call_id else None, str(name or ""), data(args))


def hand_off(span: Span) -> HandOff | None:
    a = span.attributes
    if a.get("openinference.span.kind") == "TOOL" and not a.get("tool.name") and span.name.startswith("handoff"):
        return HandOff(_name(a.get("output.value")), _name(a.get("input.value")))
    if a.get("gen_ai.operation.name") == "handoff":
        return HandOff(_name(a.get("gen_ai.handoff.to_agent")), _name(a.get("gen_ai.handoff.from_agent")))
    if _template(span).startswith("Handoff:"):
        return HandOff(_name(a.get("to_agent")), _name(a.get("from_agent")))
    if a.get("gen_ai.tool.name") == "transfer_to_agent":
        args = data(first_of(a, ("gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args")))
        return HandOff(_name(args.get("agent_name")) if is_object(args) else None, _name(a.get("gen_ai.agent.name")))
    return None


def is_hand_off_tool(name: str, hands: Iterable[HandOff]) -> bool:
    """Whether a tool that a model asked for hands over to another agent."""
    plain = _plain(name)
    return any(word in plain for word in ("transferto", "handoff", "handover")) or any(
        hand.to and plain.endswith(_plain(hand.to)) for hand in hands
    )


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def is_framework(span: Span) -> bool:
    """Whether an agent framework made the span: frameworks trace tools as well as models."""
    a = span.attributes
    return (
        _operation(a) in _AGENT_OPERATIONS
        or a.get("openinference.span.kind") in ("AGENT", "CHAIN")
        or a.get("traceloop.span.kind") in ("workflow", "agent", "task")
        or a.get("langsmith.span.kind") in ("chain", "agent")
        or str(a.get("ai.operationId", "")).startswith("ai.")
        or span.scope in (_LOGFIRE_AGENTS, "gcp.vertex.agent", "pydantic-ai", "strands.telemetry.tracer")
    )


def conversation_of(span: Span) -> str | None:
    found = first_of(span.attributes, CONVERSATIONS)
    return str(found) if found else None


def _error_of(span: Span) -> str | None:
    a = span.attributes
    if not span.failed and a.get("gen_ai.tool.status") != "error":
        return None
    for name, event in span.events:
        if name == "exception" and event.get("exception.message"):
            return _without_trace(event["exception.message"])
    logfire = data(a.get("error"))
    if is_object(logfire) and logfire.get("message"):
        return str(logfire["message"])
    return _without_trace(span.message) or str(a.get("error.type") or "error")


def _without_trace(text: JsonValue) -> str:
    return str(text).partition("Traceback")[0].strip()


def _template(span: Span) -> str:
    return str(span.attributes.get("logfire.msg_template", ""))


def _name(value: JsonValue) -> str | None:
    return None if value is None else str(value)
