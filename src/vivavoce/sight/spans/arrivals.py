"""Sorts arriving spans by turn: those of open turns, and a limited number of others."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from time import monotonic

from vivavoce.sight.spans.span import Span

_MOST_OTHER_TRACES = 500
_MOST_SPANS_OF_A_TRACE = 20_000


class Trace:
    """The spans of one turn, or of a trace that belongs to no turn."""

    __slots__ = ("alone", "changed", "clashes", "dropped", "last_arrival", "owner", "spans")

    def __init__(self, owner: object = None) -> None:
        self.owner = owner
        """The conversation of the turn."""
        self.alone = True
        """Whether no other conversation ran during this turn."""
        self.spans: dict[tuple[str, str], Span] = {}
        self.changed = asyncio.Event()
        self.last_arrival = monotonic()
        self.dropped = 0
        """The number of spans beyond the limit."""
        self.clashes = 0
        """The number of spans with the id of a different span."""

    def add(self, span: Span) -> None:
        if len(self.spans) >= _MOST_SPANS_OF_A_TRACE:
            self.dropped += 1
        else:
            self.clashes += self.spans.setdefault(span.key, span) != span
        self.last_arrival = monotonic()
        self.changed.set()


class Arrivals:
    """Finds the turn of a span by the address it was sent to or by its trace id. Keeps the others for later turns."""

    def __init__(self) -> None:
        self._turns: dict[str, Trace] = {}
        """By the trace id that viva made for the turn."""
        self._others: OrderedDict[str, Trace] = OrderedDict()
        self.problem: str | None = None
        """Why an export could not be read."""

    def open(self, trace_id: str, owner: object) -> Trace:
        """Starts to keep the spans of a turn of the conversation `owner`."""
        trace = Trace(owner)
        for other in self._turns.values():
            if other.owner is not owner:
                trace.alone = other.alone = False
        self._turns[trace_id] = trace
        return trace

    def close(self, trace_id: str) -> None:
        self._turns.pop(trace_id, None)

    def add(self, spans: Iterable[Span], turn: str | None) -> None:
        """`turn` is the trace id in the address that the spans were sent to, if there was one."""
        addressed = None if turn is None else self._turns.get(turn)
        for span in spans:
            trace = addressed or self._turns.get(span.trace) or self._other(span.trace)
            trace.add(span)
        if turn is None:
            for trace in self._turns.values():
                # A waiting attempt may find its spans among the others.
                trace.changed.set()

    def others(self, *, conversation: Iterable[str] = (), since_ns: int | None = None) -> list[Trace]:
        """The traces of no turn that name one of these conversations, or that began at `since_ns` or later."""
        from vivavoce.sight.spans.dialects import conversation_of

        named = set(conversation)
        return [
            trace
            for trace in self._others.values()
            if any(conversation_of(span) in named for span in trace.spans.values())
            or (since_ns is not None and min(span.start_ns for span in trace.spans.values()) >= since_ns)
        ]

    def take(self, traces: Iterable[Trace]) -> None:
        """Removes traces that were matched to a turn."""
        taken = {id(trace) for trace in traces}
        self._others = OrderedDict((key, trace) for key, trace in self._others.items() if id(trace) not in taken)

    def _other(self, trace_id: str) -> Trace:
        found = self._others.get(trace_id)
        if found is None:
            found = self._others[trace_id] = Trace()
            while len(self._others) > _MOST_OTHER_TRACES:
                self._others.popitem(last=False)
        return found
