"""Reads the event stream of one agent run (a `RUN_STARTED` … `RUN_FINISHED`), and how it ended."""

import json
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, structs

from vivavoce.model.json_value import JsonValue, is_array, is_number, is_object
from vivavoce.model.message import ExchangeStatus, Interrupt, Usage
from vivavoce.targets.ag_ui.interrupts import LEGACY, read_interrupt, read_legacy_interrupt
from vivavoce.targets.ag_ui.overlooked import writes_a_key_twice
from vivavoce.targets.ag_ui.protocol_rules import ProtocolRules
from vivavoce.targets.ag_ui.turn_builder import Event, TurnBuilder
from vivavoce.wording.plurals import counted
from vivavoce.wording.quoting import shorten

_RAW_STARTS = (b'{"type":"RAW"', b'{"type": "RAW"')
_DECISIVE = frozenset({"RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "CUSTOM"})
_BEFORE_WORDS = frozenset({"TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"})
_TELLS = frozenset(
    {
        "TOOL_CALL_START",
        "TOOL_CALL_CHUNK",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_CHUNK",
        "MESSAGES_SNAPSHOT",
    }
)
"""Events whose words or calls would be lost by a key that is written twice."""
_UNEXPECTED = (ValueError, RecursionError, KeyError, TypeError)
_QUOTED = 120
_TOKENS = ("inputTokens", "outputTokens")
_MOST_TOKENS = 2**53
_decode = msgspec.json.Decoder(JsonValue).decode


class _Words(
    Struct, tag_field="type", tag="TEXT_MESSAGE_CONTENT", rename="camel", gc=False, forbid_unknown_fields=True
):
    """A text event with no other keys, read the fast way. All other events go through the normal reader."""

    message_id: str
    delta: str
    timestamp: int | float | None = None
    raw_event: msgspec.Raw = msgspec.Raw()


_decode_words = msgspec.json.Decoder(_Words).decode


class AgentRunEnd(Struct, frozen=True, kw_only=True):
    """How one agent run ended."""

    status: ExchangeStatus
    error: str | None = None
    interrupts: tuple[Interrupt, ...] = ()
    pending: tuple[str, ...] = ()
    """Calls the server itself says it left for the front end."""
    ended_ms: float | None = None
    """When the last event arrived."""
    usage: Usage | None = None
    warnings: tuple[str, ...] = ()
    violations: tuple[str, ...] = ()


class BadFrame(ValueError):
    """A frame that is not an AG-UI event."""


class AgentRunReader:
    """Reads the frames of one response and passes the events on."""

    def __init__(self, builder: TurnBuilder, rules: ProtocolRules) -> None:
        self._builder = builder
        self._rules = rules
        self._writing: tuple[str, list[str], list[str]] | None = None
        """The message being written, and the two lists its text goes to."""
        self._steady = False
        """Whether the run has started and not ended, so that events need no check of their place."""
        self._seen = 0
        self._last = ""
        self._problem: str | None = None
        """Why the stream is no AG-UI stream."""
        self._unreadable = False
        self._finished: Event | None = None
        self._failed: Event | None = None
        self._ended_ms: float | None = None
        self._legacy: list[Interrupt] = []
        builder.next_run(resumes=rules.resumes)

    @property
    def is_over(self) -> bool:
        """Whether the run said that it ended. More may follow: a late RUN_ERROR makes it a failure."""
        return self._finished is not None or self._failed is not None

    @property
    def is_unreadable(self) -> bool:
        """Whether to stop reading."""
        return self._unreadable

    @property
    def heard_anything(self) -> bool:
        return self._seen > 0

    @property
    def seen(self) -> str:
        """Returns what had arrived, in words."""
        return f"{counted(self._seen, 'event')}, the last {self._last}" if self._seen else "no event"

    def feed(self, frames: Iterable[bytes], at_ms: float) -> None:
        """Reads frames that arrived together."""
        left = iter(frames)
        while True:
            frame = next(left, None) if self._writing is None else self._next_but_words(left, *self._writing)
            if frame is None:
                return
            self._feed_one(frame, at_ms)

    def finish(self, rest: bytes, at_ms: float) -> None:
        """The stream ended; `rest` is what it ended on, which may be an event cut in two."""
        if not rest.strip() or self._unreadable:
            return
        try:
            _decode(rest)
        except (ValueError, RecursionError):
            self._last = f"{self._last or 'an event'} (then one cut off in the middle)"
            return
        self.feed([rest], at_ms)

    def lost(self, line: bytes) -> None:
        """A line of the stream that is no `data:` line, nor any other that a stream may have."""
        self._builder.lose(f"a line that is no field of an event stream: {_quoted(line)}")

    def end(self, cause: str | None = None, warnings: tuple[str, ...] = ()) -> AgentRunEnd:
        """The run's outcome; `cause` says why the stream stopped when it did not end by itself."""
        self._builder.end_run()
        problems, self._builder.problems = self._builder.problems, []
        violations = (*self._rules.found(), *problems) if self._seen else ()
        return structs.replace(
            self._outcome(cause),
            ended_ms=self._ended_ms,
            usage=self._usage(),
            warnings=warnings,
            violations=violations,
        )

    # ── reading ──

    def _next_but_words(
        self, left: Iterator[bytes], message_id: str, history: list[str], text: list[str]
    ) -> bytes | None:
        """The next frame that is anything but further words of the message being written; those are taken here.

        Most of every stream are such words. Handler and check would do just this, in four times the time.
        """
        words: list[str] = []
        frame: bytes | None = None
        try:
            for frame in left:
                event = _decode_words(frame)
                if event.message_id != message_id or frame.count(b'"delta"') > 1:
                    break
                words.append(event.delta)
            else:
                frame = None
        except _UNEXPECTED:
            pass  # Another event, or one that is not in order: for _feed_one to see.
        if words:
            history += words
            text += words
            self._seen += len(words)
            self._last = "TEXT_MESSAGE_CONTENT"
        return frame

    def _feed_one(self, frame: bytes, at_ms: float) -> None:
        """Reads one frame. Provider dumps (RAW) can be most of a stream, so they are not even decoded."""
        if frame.startswith(_RAW_STARTS) and self._seen:
            self._builder.suspects.add_raw(frame)
            return
        try:
            event: Event = _decode(frame)
            kind = event["type"]
            if type(kind) is not str:
                raise TypeError
        except _UNEXPECTED as error:
            if (rescued := self._rescued(frame, error)) is None:
                return
            event, kind = rescued, rescued["type"]
        if self._steady and kind not in _DECISIVE:
            self._last = kind
            self._seen += 1
        else:
            self._note(kind, event, at_ms)
        self._builder.handle(kind, event, at_ms)
        if kind in _TELLS and writes_a_key_twice(kind, frame):
            self._builder.lose(f"an event of type {kind} with a key written twice: {_quoted(frame)}")
        self._rules.check(kind, event)
        self._writing = self._being_written(event) if kind in _BEFORE_WORDS else None

    def _being_written(self, event: Event) -> tuple[str, list[str], list[str]] | None:
        """The message that an event belongs to and where its words go; None unless it is open and all is in order."""
        message_id = event.get("messageId")
        if not self._steady or self._builder.in_chunks or type(message_id) is not str:
            return None
        places = self._builder.messages.writing.get(message_id)
        return (message_id, *places) if places and self._rules.is_open(message_id) else None

    def _rescued(self, frame: bytes, error: Exception) -> Event | None:
        """An event from a frame that is not quite JSON, or None and the reason why the stream is given up."""
        try:
            event: JsonValue = self._leniently(frame, error)
            if is_object(event) and isinstance(event.get("type"), str):
                return event
            raise BadFrame(f"a frame that is no event: {_quoted(frame)}")
        except BadFrame as bad:
            if self.is_over:
                self._builder.problems.append(f"{bad} after the run's end")
            else:
                self._problem = self._problem or str(bad)
                self._unreadable = True
            return None

    def _leniently(self, frame: bytes, error: Exception) -> JsonValue:
        """What Python and JavaScript write as JSON although it is none: NaN, halves of surrogate pairs."""
        if isinstance(error, UnicodeDecodeError):
            raise BadFrame(f"a frame that is not UTF-8: {_quoted(frame)}")
        try:
            value = json.loads(frame, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            raise BadFrame(f"a frame that is no JSON: {_quoted(frame)}") from None
        if isinstance(error, msgspec.DecodeError):
            self._builder.problems.append(f"a frame that is not strict JSON: {_quoted(frame)}")
        return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))

    def _note(self, kind: str, event: Event, at_ms: float) -> None:
        """Everything that depends on where in the run an event stands."""
        if not self._seen and kind not in ("RUN_STARTED", "RUN_ERROR"):
            self._problem = f"the first event is {kind}, not RUN_STARTED or RUN_ERROR"
        self._seen += 1
        self._last = kind
        self._rules.order(kind)
        if kind == "RUN_FINISHED":
            self._finished, self._ended_ms = event, at_ms
        elif kind == "RUN_ERROR":
            self._failed, self._ended_ms = event, at_ms
        elif kind == "CUSTOM" and event.get("name") == LEGACY:
            self._legacy.append(read_legacy_interrupt(event.get("value"), len(self._legacy) + 1))
        self._steady = not self.is_over

    # ── the outcome ──

    def _outcome(self, cause: str | None) -> AgentRunEnd:
        if self._problem is not None:
            return AgentRunEnd(status=ExchangeStatus.PROTOCOL_ERROR, error=self._problem)
        if self._failed is not None:
            message = str(self._failed.get("message") or "RUN_ERROR without a message")
            code = self._failed.get("code")
            return AgentRunEnd(status=ExchangeStatus.ERROR, error=f"{message} ({code})" if code else message)
        if self._finished is None:
            why = cause or "the stream ended"
            error = f"{why} without RUN_FINISHED or RUN_ERROR: {self.seen}"
            return AgentRunEnd(status=ExchangeStatus.TRUNCATED, error=error)
        if (problem := self._wrong_usage()) is not None:
            return AgentRunEnd(status=ExchangeStatus.PROTOCOL_ERROR, error=problem)
        return self._finished_as(self._finished.get("outcome"))

    def _finished_as(self, outcome: JsonValue) -> AgentRunEnd:
        details: Event = outcome if is_object(outcome) else {"type": outcome}
        kind = details.get("type")
        if kind == "interrupt":
            told = details.get("interrupts")
            interrupts = [read_interrupt(each, self._builder.calls) for each in told] if is_array(told) else []
            nothing = None if interrupts else "the run was interrupted, but names no interrupt to answer"
            return AgentRunEnd(status=ExchangeStatus.INTERRUPTED, error=nothing, interrupts=tuple(interrupts))
        if kind == "cancelled":
            return AgentRunEnd(status=ExchangeStatus.CANCELLED, error="the run was cancelled")
        if kind is not None and kind != "success":
            return AgentRunEnd(
                status=ExchangeStatus.PROTOCOL_ERROR, error=f"RUN_FINISHED with unknown outcome {kind!r}"
            )
        if self._legacy:
            return AgentRunEnd(status=ExchangeStatus.INTERRUPTED, interrupts=tuple(self._legacy))
        pending = details.get("pendingToolCallIds")
        return AgentRunEnd(status=ExchangeStatus.SUCCESS, pending=tuple(map(str, pending)) if is_array(pending) else ())

    def _usage(self) -> Usage | None:
        """Returns the tokens of all models; None when the server reported none."""
        entries = self._reported_usage()
        if not entries or not any(_is_count(entry.get(key)) for entry in entries for key in _TOKENS):
            return None
        return Usage(*(sum(int(entry[key]) for entry in entries if _is_count(entry.get(key))) for key in _TOKENS))

    def _wrong_usage(self) -> str | None:
        """Returns what is wrong with an impossible token count: ignored, it would pass every cost limit."""
        for entry in self._reported_usage():
            for key in _TOKENS:
                if entry.get(key) is not None and not _is_count(entry[key]):
                    return f"RUN_FINISHED with usage.{key} {shorten(repr(entry[key]), 80)}, wanted a number, 0 or more"
        return None

    def _reported_usage(self) -> list[Event]:
        told = (self._failed or self._finished or {}).get("usage")
        return [entry for entry in told if is_object(entry)] if is_array(told) else []


def _is_count(value: JsonValue) -> bool:
    """Whether the token count is possible: not negative and not infinite."""
    return is_number(value) and 0 <= value <= _MOST_TOKENS


def _quoted(frame: bytes) -> str:
    text = frame[:_QUOTED].decode("utf-8", "replace")
    return repr(text) + (" …" if len(frame) > _QUOTED else "")
