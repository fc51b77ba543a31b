"""All spans of one turn → its tool calls, tokens and hand-offs, and what may be missing."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from vivavoce.metering.prices import PriceList
from vivavoce.model.json_value import is_object, json_equal
from vivavoce.model.message import Unread, Usage
from vivavoce.sight.spans.dialects import (
    Asked,
    HandOff,
    ModelCall,
    SpanCall,
    asked_by,
    conversation_of,
    hand_off,
    is_framework,
    model_call,
    tool_call,
)
from vivavoce.sight.spans.span import Span, ancestors
from vivavoce.sight.spans.suspects import suspects_among, words_beside


class Reading(Struct, frozen=True, kw_only=True):
    calls: tuple[SpanCall, ...] = ()
    """In the order they began."""
    models: tuple[ModelCall, ...] = ()
    hand_offs: tuple[HandOff, ...] = ()
    conversations: frozenset[str] = frozenset()
    never_run: tuple[Asked, ...] = ()
    """Calls that a model asked for, without a span that shows that they ran."""
    bare_hand_offs: int = 0
    """Hand-offs whose span is not a tool call; the model asked for each of them like for a tool."""
    suspects: tuple[Span, ...] = ()
    """Spans that may be tool calls, but that viva cannot read."""
    words: tuple[Unread, ...] = ()
    """Words of other spans that may be names of tools."""
    names_a_framework: bool = False
    """Whether some span is one of an agent framework, so that its tools would be traced."""

    def usage(self, prices: PriceList) -> Usage | None:
        """The sum over all model calls; the spans of agents only repeat it."""
        total: Usage | None = None
        for call in self.models:
            if call.input_tokens or call.output_tokens:
                spent = prices.priced(Usage(call.input_tokens, call.output_tokens), call.model or "")
                total = spent if total is None or spent is None else total.plus(spent)
        return total


def read_spans(spans: Iterable[Span]) -> Reading:
    """Reads each span once, even if it was sent several times."""
    once = {span.key: span for span in reversed(list(spans))}
    ordered = sorted(once.values(), key=lambda span: span.start_ns)
    found = [call for span in ordered if (call := tool_call(span)) is not None]
    models: list[ModelCall] = []
    asked: list[Asked] = []
    for span in ordered:
        if (model := model_call(span)) is not None:
            models.append(model)
            asked += asked_by(span)
    calls = _without_repeats(found, ordered)
    handed = [hand for span in ordered if (hand := hand_off(span)) is not None]
    calls, left = _completed(calls, asked)
    return Reading(
        calls=tuple(_in_asked_order(calls, asked)),
        models=tuple(models),
        hand_offs=tuple(handed),
        conversations=frozenset(named for span in ordered if (named := conversation_of(span)) is not None),
        never_run=tuple(left),
        bare_hand_offs=sum(hand_off(span) is not None and tool_call(span) is None for span in ordered),
        suspects=tuple(suspects_among(ordered)),
        words=tuple(words_beside(ordered)),
        names_a_framework=bool(found) or any(map(is_framework, ordered)),
    )


def _without_repeats(calls: Sequence[SpanCall], spans: Sequence[Span]) -> list[SpanCall]:
    """Leaves out tool spans below a tool span of the same name: an MCP client and its server report the same call."""
    by_key = {span.key: span for span in spans}
    by_span = {call.span.key: call for call in calls}

    def repeats(call: SpanCall) -> bool:
        above = (by_span.get(span.key) for span in ancestors(call.span, by_key))
        return any(outer is not None and _is_same_call(outer, call) for outer in above)

    return [call for call in calls if not repeats(call)]


def _is_same_call(outer: SpanCall, inner: SpanCall) -> bool:
    """A tool may call itself: then the arguments differ."""
    if outer.name != inner.name:
        return False
    return not is_object(outer.args) or not is_object(inner.args) or json_equal(outer.args, inner.args)


def _completed(calls: Sequence[SpanCall], asked: Sequence[Asked]) -> tuple[list[SpanCall], list[Asked]]:
    """Returns the calls, completed from the model's answers, and the calls that a model asked for but no span shows."""
    left = list(asked)
    completed: list[SpanCall] = []
    for call in calls:
        match = next((ask for ask in left if call.id and ask.id == call.id), None)
        match = match or next((ask for ask in left if ask.name == call.name), None)
        if match is not None:
            left.remove(match)
            args = call.args if is_object(call.args) else match.args
            call = structs.replace(call, id=call.id or match.id, args=args)
        completed.append(call)
    return completed, left


def _in_asked_order(calls: Sequence[SpanCall], asked: Sequence[Asked]) -> list[SpanCall]:
    """By start. JavaScript clocks are equal within a millisecond: then by the order in which the model asked."""
    place = {ask.id: number for number, ask in enumerate(asked) if ask.id}
    return sorted(calls, key=lambda call: (call.span.start_ns, place.get(call.id or "", len(place))))
