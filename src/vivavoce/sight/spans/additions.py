"""What the spans of a turn add to the agent's reply: calls, tokens, hand-offs, and doubt when they are incomplete."""

from msgspec import UNSET, Struct, structs

from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.model.message import AgentReply, ToolCall, Unread, Usage
from vivavoce.sight.joined_calls import joined
from vivavoce.sight.spans.dialects import SpanCall
from vivavoce.sight.spans.environment import CONTENT, in_words
from vivavoce.sight.spans.reading import Reading

WHERE = "spans"
_BY_TIME = "the agent's spans name neither the trace nor the conversation of the turn: they were matched by their time"


class Seen(Struct, frozen=True, kw_only=True):
    """The spans of one turn, and how they were found."""

    reading: Reading
    usage: Usage | None = None
    problem: str = ""
    """Why they may be incomplete; empty when they are complete."""
    waited: bool = True
    """False: no check needs them, so viva did not wait."""
    by_time: bool = False
    """Whether only their time shows that they belong to the turn."""


def with_spans(reply: AgentReply, seen: Seen) -> AgentReply:
    reading = seen.reading
    calls = joined(reply.calls, [_as_call(call) for call in reading.calls])
    changes: JsonObject = {"calls": calls}
    unread = [*reply.unread, *_without_content(reading), *reading.words]
    if not seen.problem:
        changes |= {"shows_calls": True, "not_shown": ""}
    elif seen.waited or calls:
        unread.append(Unread(seen.problem, WHERE, "call"))
    if seen.problem and (not reply.shows_calls or not (calls or seen.waited)):
        changes |= {"shows_calls": False, "not_shown": seen.problem}
    if reply.usage is None and seen.usage is not None:
        changes["usage"] = seen.usage
    if reading.hand_offs:
        events = tuple({"type": "hand_off", "to": hand.to, "by": hand.by} for hand in reading.hand_offs)
        changes["trace"] = (*reply.trace, *events)
    if seen.by_time:
        changes["warnings"] = (*reply.warnings, _BY_TIME)
    return structs.replace(reply, **changes, unread=tuple(unread))


def _as_call(call: SpanCall) -> ToolCall:
    return ToolCall(
        id=call.id or "",
        name=call.name,
        args=call.args,
        result=UNSET if call.result is None else call.result,
        error=call.error,
        started_ms=call.span.start_ns / 1e6,
        completed_ms=call.span.end_ns / 1e6,
    )


def _without_content(reading: Reading) -> list[Unread]:
    """One unread piece for each tool whose spans have no arguments or no results."""
    hidden = dict.fromkeys(
        call.name for call in reading.calls if not is_object(call.args) or (call.result is None and call.error is None)
    )
    how = f"switch contents on: {in_words(CONTENT)}"
    return [Unread(f"the span of {name} has no arguments or no result ({how})", name, "details") for name in hidden]
