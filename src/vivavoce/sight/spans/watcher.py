"""Watches an agent through its spans: `otel: {listen, wait}` in `viva.yaml`."""

import asyncio
import secrets
import sys
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from vivavoce.errors import UsageError
from vivavoce.metering.prices import PriceList
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import AgentReply
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.protocols import Provisions, Surroundings, TargetSpec, WatchEnd
from vivavoce.sight.spans.additions import Seen, with_spans
from vivavoce.sight.spans.arrivals import Trace
from vivavoce.sight.spans.completeness import NO_SPAN, Missing, missing_in
from vivavoce.sight.spans.environment import exporter_settings, how_to_export
from vivavoce.sight.spans.reading import Reading, read_spans
from vivavoce.sight.spans.receiver import Receiver

STANDARD_PORT = 4318
_QUIET_S = 0.3
_WITHOUT_WAITING_S = 0.0
_sharing: dict[tuple[int, int], tuple[Receiver, int]] = {}
"""Receivers on a configured port, by event loop and port, and how many agents use each."""


class SpanWatcher:
    """Receives the spans of one agent during the whole run."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        fields: JsonValue = spec.config.get("otel")
        given: JsonObject = fields if is_object(fields) else {}
        try:
            self.wait_s = parse_duration(str(given.get("wait") or "10s"))
        except ValueError as error:
            raise UsageError(f"agent {spec.id!r}: otel.wait: {error}") from None
        self.prices = PriceList(surroundings.project.config.prices)
        listen: int | None = given.get("listen")
        self._port = listen if listen is not None else _usual_port(spec)
        self._agent = spec.id
        self.receiver: Receiver | None = None

    async def start(self) -> Mapping[str, str]:
        if self.receiver is None:
            self.receiver = _shared(self._port)
        await self.receiver.start()
        return exporter_settings(self.endpoint)

    @property
    def endpoint(self) -> str:
        assert self.receiver is not None
        return f"http://127.0.0.1:{self.receiver.port}"

    def watch(self, case: Case, run: int, provisions: Provisions) -> "SpanWatch":
        return SpanWatch(self, case, run, provisions)

    async def close(self) -> None:
        receiver, self.receiver = self.receiver, None
        if receiver is not None and _given_back(receiver, self._port):
            await receiver.close()


class SpanWatch:
    """One conversation: each turn has its own trace id."""

    def __init__(self, watcher: SpanWatcher, case: Case, run: int, provisions: Provisions) -> None:
        assert watcher.receiver is not None
        self._watcher = watcher
        self._arrivals = watcher.receiver.arrivals
        self._label = f"{case.id}#{run}"
        self._conversations = [name for name in (provisions.session_id, case.thread_id) if name]
        self._wait_s = watcher.wait_s if looks_beyond_words(case) else _WITHOUT_WAITING_S
        self._traces: list[tuple[str, Trace, int]] = []
        """For each turn: trace id, spans, and the number of calls when it was judged."""
        self._sent = ""
        self._attached: Any = None

    def begin_turn(self, number: int, provisions: Provisions) -> None:
        trace_id, self._sent = secrets.token_hex(16), secrets.token_hex(8)
        self._traces.append((trace_id, self._arrivals.open(trace_id, self), 0))
        traceparent = f"00-{trace_id}-{self._sent}-01"
        provisions.headers["traceparent"] = traceparent
        provisions.headers["baggage"] = f"viva.turn={number}"
        settings = exporter_settings(f"{self._watcher.endpoint}/turn/{trace_id}")
        provisions.environment |= {**settings, "TRACEPARENT": traceparent}
        self._attached = _attached(provisions.headers)

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        _detached(self._attached)
        trace_id, own, _ = self._traces[-1]
        since_ns = int(started_ms * 1e6)
        deadline = monotonic() + self._wait_s
        while True:
            own.changed.clear()
            found = self._found(own, since_ns)
            reading = read_spans([span for trace in found for span in trace.spans.values()])
            missing = self._missing(found, reading, since_ns)
            quiet_at = max(trace.last_arrival for trace in found) + _QUIET_S
            now = monotonic()
            if (not missing or missing.for_good) and now >= quiet_at:
                break
            if now >= deadline:
                break
            until = deadline if missing and not missing.for_good else min(deadline, quiet_at)
            await _changed(own, until - now)
        borrowed = [trace for trace in found if trace is not own]
        self._arrivals.take(borrowed)
        for trace in borrowed:
            for span in trace.spans.values():
                own.add(span)
        self._traces[-1] = (trace_id, own, len(reading.calls))
        seen = Seen(
            reading=reading,
            usage=reading.usage(self._watcher.prices),
            problem=self._problem(missing),
            waited=bool(self._wait_s),
            by_time=bool(borrowed) and not reading.conversations,
        )
        return with_spans(reply, seen)

    async def close(self) -> WatchEnd:
        late = 0
        for trace_id, trace, judged in self._traces:
            late += max(0, len(read_spans(trace.spans.values()).calls) - judged)
            self._arrivals.close(trace_id)
        if not late:
            return WatchEnd()
        # A check may have passed only because these calls were missing.
        what = f"{late} tool calls were seen in spans that came after their turn was judged"
        return WatchEnd(
            problem=f"{what} (raise `otel: {{wait: …}}`, or have the agent send them earlier)", fault="target"
        )

    def _found(self, own: Trace, since_ns: int) -> list[Trace]:
        """The spans of the turn: by trace id, else by conversation, else by time if no other turn runs."""
        found = self._arrivals.others(conversation=self._conversations) if self._conversations else []
        if not found and not own.spans and own.alone:
            found = self._arrivals.others(since_ns=since_ns)
        return [own, *found]

    def _problem(self, missing: Missing) -> str:
        if not missing:
            return ""
        waited = format_duration(self._watcher.wait_s)
        if not self._wait_s:
            return "nobody waited for the agent's spans, because no check of the case looks at tool calls"
        if missing == NO_SPAN:
            return f"no span came within {waited}: start the agent with {how_to_export(self._watcher.endpoint)}"
        return f"the trace is incomplete after {waited}: {missing.what}"

    def _missing(self, found: list[Trace], reading: Reading, since_ns: int) -> Missing:
        if self._arrivals.problem is not None:
            return Missing(self._arrivals.problem)
        if any(trace.dropped for trace in found):
            return Missing("more spans came than can be kept", for_good=True)
        if any(trace.clashes for trace in found):
            return Missing("two different spans have the same id", for_good=True)
        strays = [trace for trace in self._arrivals.others(since_ns=since_ns) if trace not in found]
        if any(trace.spans for trace in found) and any(_has_calls(trace) for trace in strays):
            return Missing("tool calls came in a trace of their own, and nothing says whose they are", for_good=True)
        return missing_in([span for trace in found for span in trace.spans.values()], reading, self._sent)


def _has_calls(trace: Trace) -> bool:
    reading = read_spans(trace.spans.values())
    return bool(reading.calls or reading.suspects)


async def _changed(trace: Trace, seconds: float) -> None:
    try:
        async with asyncio.timeout(max(seconds, 0.0)):
            await trace.changed.wait()
    except TimeoutError:
        pass


def _usual_port(spec: TargetSpec) -> int:
    """Any free port when viva starts the agent and can tell it the port; else the default port of exporters."""
    address: JsonValue = spec.config.get(spec.kind)
    is_elsewhere = (isinstance(address, str) and "://" in address) or is_object(address)
    return STANDARD_PORT if is_elsewhere and not spec.config.get("serve") else 0


def _shared(port: int) -> Receiver:
    if port == 0:
        return Receiver(0)
    key = (id(asyncio.get_running_loop()), port)
    receiver, users = _sharing.get(key, (None, 0))
    receiver = receiver or Receiver(port)
    _sharing[key] = (receiver, users + 1)
    return receiver


def _given_back(receiver: Receiver, port: int) -> bool:
    """Releases a receiver. Returns whether nobody uses it any more."""
    for key, (shared, users) in list(_sharing.items()):
        if shared is receiver and key[1] == port:
            if users > 1:
                _sharing[key] = (shared, users - 1)
                return False
            del _sharing[key]
    return True


def _attached(headers: Mapping[str, str]) -> Any:
    """Makes the turn's trace the current one for an agent in this process, when it has loaded OpenTelemetry."""
    propagate, context = sys.modules.get("opentelemetry.propagate"), sys.modules.get("opentelemetry.context")
    if propagate is None or context is None:
        return None
    return context.attach(propagate.extract(dict(headers)))


def _detached(token: Any) -> None:
    if token is not None:
        sys.modules["opentelemetry.context"].detach(token)


_USAGE = "cost"


def looks_beyond_words(case: Case) -> bool:
    """Whether a check of the case judges tool calls, the whole reply, or the cost."""
    return any(spec.type == _USAGE or _judges(spec.type) in ("call", "both") for spec in _checks(case))


def _judges(assertion_type: str) -> str:
    return getattr(ASSERTIONS.load(assertion_type), "judges", "both")


def _checks(case: Case) -> Iterator[AssertionSpec]:
    yield from case.assertions
    yield from case.final_assertions
    for turn in case.turns:
        yield from turn.assertions
    for checkpoint in case.checkpoints:
        yield from checkpoint.assertions
