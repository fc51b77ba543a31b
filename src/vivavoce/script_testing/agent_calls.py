"""`process("agents.expense.Stream", ctx, messages)`: a test talks to an agent."""

import re
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, Struct

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions, Identity
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import AgentReply, Message
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.script_testing.engine import CallTerms, current_engine, waited_for

_AGENT_PROCESS = re.compile(r"agents[.:](.+?)(?:\.(?:Stream|Call))?", re.IGNORECASE)


class AgentAnswer(Struct, frozen=True, kw_only=True):
    """What an agent answered, as tests read it."""

    content: str
    """The text."""
    output: JsonValue
    """The structured data when there is any, else the text."""
    tool_calls: list[JsonObject]
    awaiting_input: bool | None = None
    input_hint: str | None = None
    finish_reason: str | None = None
    state: JsonValue = None


def process(
    name: str,
    ctx: Mapping[str, JsonValue] | None = None,
    messages: str | Sequence[JsonValue] = (),
    options: Mapping[str, JsonValue] | None = None,
) -> JsonValue:
    """Calls an agent and gives its AgentAnswer; in an async test, something to await. Raises when the call fails."""
    engine = current_engine()
    return waited_for(engine.start(_ask(name, ctx or {}, messages, options or {}, engine.terms)))


async def _ask(
    name: str,
    ctx: Mapping[str, JsonValue],
    messages: str | Sequence[JsonValue],
    options: Mapping[str, JsonValue],
    terms: CallTerms,
) -> AgentAnswer:
    reply = await terms.helpers.agents.ask(
        _agent_in(name),
        _messages_in(messages),
        _options_in(ctx, options, terms),
        test_id=terms.case_id,
        identity=_converted(ctx["identity"], Identity, "ctx.identity") if "identity" in ctx else terms.identity,
    )
    if reply.error is not None:
        raise CallFailed(reply.error, fault="agent")
    return _answer(reply)


def _agent_in(name: str) -> str:
    named = _AGENT_PROCESS.fullmatch(name)
    if named is None:
        raise UsageError(f"process cannot call {name!r}", hint="name an agent: agents.ID.Stream")
    return f"agents:{named[1]}"


def _messages_in(messages: str | Sequence[JsonValue]) -> list[Message]:
    if isinstance(messages, str):
        return [Message(role="user", content=messages)]
    said = _converted(list(messages), list[Message], "messages")
    if not said or said[-1].role != "user":
        raise UsageError("process: the last of the messages must be the user's")
    return said


def _options_in(ctx: Mapping[str, JsonValue], options: Mapping[str, JsonValue], terms: CallTerms) -> CallOptions:
    metadata = CallOptions(metadata=_converted(ctx.get("metadata") or {}, JsonObject, "ctx.metadata"))
    given = _converted(dict(options), CallOptions, "options")
    # The `-c` flag has the last word on the connector, as everywhere.
    flag = CallOptions(connector=terms.connector)
    return metadata.overridden_by(given).overridden_by(flag)


def _converted(value: JsonValue, kind: JsonValue, name: str) -> JsonValue:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"process: {name}: {split_validation_error(str(error))[0]}") from None


def _answer(reply: AgentReply) -> AgentAnswer:
    return AgentAnswer(
        content=reply.text,
        output=reply.output,
        tool_calls=[msgspec.to_builtins(call) for call in reply.calls],
        awaiting_input=reply.awaiting,
        input_hint=reply.input_hint,
        finish_reason=reply.finish_reason,
        state=None if reply.state is UNSET else reply.state,
    )
