"""Events of several runs → one turn: calls, texts, state, history, and everything worth showing."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import ClassVar

from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import MayHold, Message, ToolCall, Unread
from vivavoce.notation.hidden_calls import unread
from vivavoce.targets.ag_ui import overlooked
from vivavoce.targets.ag_ui.call_book import CallBook, CallDraft, args_text_of, content_text, error_text, read_result
from vivavoce.targets.ag_ui.shared_state import SharedState
from vivavoce.targets.ag_ui.spelling import meant_type, read_id
from vivavoce.targets.ag_ui.suspects import CALLS_BESIDE, STATE, Suspects, known_calls, unread_part, what_is_new
from vivavoce.targets.ag_ui.turn_messages import TurnMessages

Event = JsonObject

CHUNKS_STAY_OPEN = frozenset({"RAW", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "REASONING_ENCRYPTED_VALUE"})
_ONLY_SHOWN = frozenset({"CUSTOM", "STEP_STARTED", "STEP_FINISHED", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"})
_SAYS_NOTHING = frozenset(
    {"type", "messageId", "toolCallId", "timestamp", "rawEvent", "role", "delta", "parentMessageId"}
)
_NOT_WORTH_SHOWING = ("timestamp", "rawEvent")


class TurnBuilder:
    """Takes every event of a turn in order of arrival."""

    def __init__(
        self,
        *,
        user_id: str = "",
        user_text: str = "",
        earlier_calls: Mapping[str, ToolCall] | None = None,
        earlier_texts: Mapping[str, str] | None = None,
        sent: Sequence[Message] = (),
        state: JsonValue = None,
    ) -> None:
        """`sent` is the conversation as it was sent, up to this turn's user message."""
        self.calls = CallBook(earlier_calls or {})
        self.messages = TurnMessages(user_id, user_text, earlier_texts or {})
        self.unread: list[Unread] = []
        self.suspects = Suspects()
        self._state_sent = state
        self._sent = sent
        self.state = SharedState(state)
        self.problems: list[str] = []
        """What was wrong with single events, as breaches of the protocol."""
        self.encrypted: dict[str, str] = {}
        """What a provider wants back with a message or call, by the id of that."""
        self._trace: list[Event] = []
        self._reasoning: dict[str, list[str]] = {}
        self.in_chunks = False
        """Whether any chunk was seen: most servers send none."""
        self._text_chunk: str | None = None
        self._call_chunk: str | None = None
        self._unnamed = count(1)

    def next_run(self, *, resumes: bool = False) -> None:
        self.calls.next_run(resumes=resumes)
        self.messages.next_run(resumes=resumes)
        self._text_chunk = self._call_chunk = None

    def end_run(self) -> None:
        """Completes the calls of the run, and compares other parts of the stream that may hold calls with them."""
        self.calls.end_run()
        if self.state.told:
            self.suspects.add(what_is_new(self.state.value, self._state_sent), STATE)
        if self.suspects:
            sent = (call for message in self._sent for call in message.tool_calls or ())
            self.unread += self.suspects.judged(known_calls(self.calls.named(), sent))

    def handle(self, kind: str, event: Event, at_ms: float) -> None:
        if self.in_chunks and kind not in CHUNKS_STAY_OPEN:
            if kind != "TEXT_MESSAGE_CHUNK":
                self._text_chunk = None
            if kind != "TOOL_CALL_CHUNK":
                self._call_chunk = None
        handler = self.HANDLERS.get(kind)
        if handler is not None:
            handler(self, event, at_ms)
        elif kind in _ONLY_SHOWN:
            self.suspects.add(unread_part(kind, event), f"an event of type {kind}")
            self._keep(event, at_ms)
        elif not self._is_misspelt(kind, event, at_ms):
            self._keep(event, at_ms)

    def trace(self) -> tuple[Event, ...]:
        """Reasoning, sub-agents, steps, activities, custom and unknown events, in order."""
        if not self._trace:
            return ()
        return tuple(
            {**shown, "text": "".join(self._reasoning[shown["id"]])} if shown["type"] == "REASONING" else shown
            for shown in self._trace
        )

    # ── texts ──

    def _text_start(self, event: Event, at_ms: float) -> None:
        self.messages.start_text(read_id(event, "messageId"), read_id(event, "role") or "assistant")
        if event.get("role") == "tool" and event.get("name"):
            self.unread.append(unread(event, "a text in a tool's name", "call"))
        self._text_end(event, at_ms)

    def _text_end(self, event: Event, at_ms: float) -> None:
        """Keeps an event about a text as a suspect when it has keys of calls, which do not belong there."""
        if not CALLS_BESIDE.isdisjoint(event):
            self.suspects.add(event, f"an event of type {event.get('type')}")

    def _text_content(self, event: Event, at_ms: float) -> None:
        message_id, delta = event.get("messageId"), event.get("delta")
        if type(message_id) is not str or type(delta) is not str:
            message_id, delta = read_id(event, "messageId"), self._words(event)
        self.messages.append(message_id, delta)
        self._text_end(event, at_ms)

    def _on_text_chunk(self, event: Event, at_ms: float) -> None:
        self.in_chunks = True
        message_id = read_id(event, "messageId") or self._text_chunk or ""
        if message_id != self._text_chunk:
            self.messages.start_text(message_id, read_id(event, "role") or "assistant")
            self._text_chunk = message_id
        self.messages.append(message_id, "" if event.get("delta") is None else self._words(event))
        self._text_end(event, at_ms)

    # ── calls ──

    def _call_start(self, event: Event, at_ms: float) -> CallDraft:
        # A call without an id is still a call: it must never go uncounted.
        call_id = read_id(event, "toolCallId") or f"unnamed-{next(self._unnamed)}"
        draft = self.calls.start(call_id, read_id(event, "toolCallName"), at_ms)
        arguments = event.get("args", event.get("arguments"))
        if arguments is not None:
            draft.parts.append(args_text_of(arguments))
        self.messages.add_call(call_id, read_id(event, "parentMessageId") or None)
        self.unread += overlooked.beside_a_call(event, draft.name)
        return draft

    def _call_args(self, event: Event, at_ms: float) -> None:
        call_id = read_id(event, "toolCallId")
        draft = self._draft_of(call_id, at_ms)
        if draft.run != self.calls.run and not self.calls.may_repeat(call_id):
            draft = self.calls.start(call_id, "", at_ms)
        draft.parts.append(self._arguments(event))
        draft.ended_ms = at_ms
        self.unread += overlooked.beside_a_call(event, draft.name)

    def _call_end(self, event: Event, at_ms: float) -> None:
        draft = self._draft_of(read_id(event, "toolCallId"), at_ms)
        draft.ended_ms = at_ms
        self.unread += overlooked.beside_a_call(event, draft.name)

    def _on_call_chunk(self, event: Event, at_ms: float) -> None:
        self.in_chunks = True
        name, call_id = read_id(event, "toolCallName"), read_id(event, "toolCallId")
        draft = self.calls.get(call_id or self._call_chunk or "")
        if draft is None or draft.run != self.calls.run or self._begins_another(draft, name, call_id):
            self.unread += overlooked.name_in_pieces(draft, name)
            draft = self._call_start({**event, "toolCallId": call_id or self._fresh_id(draft), "args": None}, at_ms)
        elif call_id and call_id != self._call_chunk and draft.has_whole_args:
            # The whole call is repeated: its arguments must not be appended again.
            return
        draft.name = draft.name or name
        self.unread += overlooked.beside_a_call(event, draft.name)
        self._call_chunk = draft.id
        draft.parts.append(self._arguments(event, optional=True))
        draft.ended_ms = at_ms

    def _begins_another(self, draft: CallDraft, name: str, call_id: str) -> bool:
        """Whether a chunk with a name belongs to a second call, without an id or under the same one."""
        if not name or not draft.name:
            return False
        is_open = draft.id == self._call_chunk
        if name != draft.name or (is_open and draft.has_whole_args):
            return True
        return not is_open and not self.calls.may_repeat(call_id)

    def _fresh_id(self, draft: CallDraft | None) -> str:
        return "" if draft is None else f"{draft.id}-and-{next(self._unnamed)}"

    def _arguments(self, event: Event, *, optional: bool = False) -> str:
        """The piece of the arguments that an event brings, under whichever key."""
        for key in ("delta", "args", "arguments"):
            if event.get(key) is not None:
                value = event[key]
                return value if type(value) is str else args_text_of(value)
        if not optional:
            self._not_read(event, "call")
        return ""

    def _words(self, event: Event) -> str:
        for key in ("delta", "content", "text"):
            if event.get(key) is not None:
                value = event[key]
                return value if type(value) is str else args_text_of(value)
        self._not_read(event, "words")
        return ""

    def _not_read(self, event: Event, may_hold: MayHold) -> None:
        rest = {key: value for key, value in event.items() if key not in _SAYS_NOTHING and value}
        if rest:
            self.unread.append(unread(event, f"an event of type {event.get('type')}", may_hold))

    def _call_result(self, event: Event, at_ms: float) -> None:
        call_id, content = read_id(event, "toolCallId"), event.get("content")
        if self.calls.get(call_id) is not None:
            self.messages.add_result(call_id, read_id(event, "messageId") or call_id, content_text(content))
        draft = self._draft_of(call_id, at_ms)
        draft.complete(read_result(content), error_text(event.get("error")), at_ms)
        self.unread += overlooked.beside_a_call(event, draft.name)

    def _draft_of(self, call_id: str, at_ms: float) -> CallDraft:
        """Returns the call of this id. A call whose start was not seen counts too; the name of its tool is unknown."""
        return self.calls.get(call_id) or self.calls.start(call_id, "", at_ms)

    # ── snapshots and state ──

    def _messages_snapshot(self, event: Event, at_ms: float) -> None:
        part = self.messages.own_part(event.get("messages"))
        calls = [call for message in part.own for call in self._calls_of(message)]
        self.calls.from_snapshot(calls, at_ms, certain=part.certain)
        for message in part.own:
            if message.get("role") == "tool":
                self._result_in_snapshot(message, at_ms)
        self._look_before(part.before)
        self.unread += overlooked.in_snapshot(event, self._sent, self.calls)
        self.unread += overlooked.other_names(calls, self.calls)
        self.messages.replace_by(part.own)

    def _calls_of(self, message: Event) -> list[Event]:
        self.unread += overlooked.in_message(message)
        return overlooked.calls_in_message(message)

    def _look_before(self, messages: list[Event]) -> None:
        """Calls that stand before the user's message and were never told: some servers put them there."""
        sent = [call for message in self._sent for call in message.tool_calls or ()]
        known = Counter(str(call.get("function", {}).get("name")) for call in sent)
        known.update(draft.name for draft in self.calls.made())
        for message in messages:
            for call in self._calls_of(message):
                function = call.get("function")
                name = str((function if is_object(function) else call).get("name") or "")
                known[name] -= 1
                if known[name] < 0:
                    self.unread.append(unread(call, "a snapshot, before the user's message", "call"))

    def _result_in_snapshot(self, message: Event, at_ms: float) -> None:
        draft = self.calls.get(read_id(message, "toolCallId"))
        if draft is not None and not draft.answered:
            draft.complete(read_result(message.get("content")), error_text(message.get("error")), at_ms)

    def _state_snapshot(self, event: Event, at_ms: float) -> None:
        self.state.replace(event.get("snapshot"))
        self.suspects.add(unread_part("STATE_SNAPSHOT", event), "beside the state")

    def _state_delta(self, event: Event, at_ms: float) -> None:
        self.suspects.add(unread_part("STATE_DELTA", event), "beside the state")
        if problem := self.state.patch(event.get("delta")):
            self.problems.append(problem)
            self.suspects.add(event.get("delta"), "a change of the state that does not apply")

    def _reasoning_start(self, event: Event, at_ms: float) -> None:
        message_id = read_id(event, "messageId") or "thinking"
        if message_id not in self._reasoning:
            self._reasoning[message_id] = []
            self._trace.append({"type": "REASONING", "id": message_id, "at_ms": at_ms})

    def _reasoning_content(self, event: Event, at_ms: float) -> None:
        self._reasoning_start(event, at_ms)
        self._reasoning[read_id(event, "messageId") or "thinking"].append(_delta(event))

    def _encrypted_value(self, event: Event, at_ms: float) -> None:
        self.encrypted[read_id(event, "entityId")] = str(event.get("encryptedValue") or "")

    def _run_finished(self, event: Event, at_ms: float) -> None:
        self.suspects.add(unread_part("RUN_FINISHED", event), "the run's end")
        if event.get("result") is not None:
            self._trace.append({"type": "RUN_FINISHED", "result": event["result"], "at_ms": at_ms})

    def _is_misspelt(self, kind: str, event: Event, at_ms: float) -> bool:
        """Whether an unknown type is a known one in another spelling, which is then handled as that one."""
        meant = meant_type(kind, self.HANDLERS)
        if meant is not None:
            self._complain(f"an event of type {kind}, wanted {meant}")
            self.handle(meant, event, at_ms)
        else:
            self.unread += (missed := overlooked.in_unknown_event(kind, event))
            if any(not piece.is_name for piece in missed):
                self._complain(f"an event of type {kind}, which AG-UI does not have")
        return meant is not None

    def lose(self, problem: str) -> None:
        """Something of the stream was not read."""
        self._complain(problem)
        self.unread.append(unread(problem, "the event stream"))

    def _complain(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def _keep(self, event: Event, at_ms: float) -> None:
        shown = {key: value for key, value in event.items() if key not in _NOT_WORTH_SHOWING}
        self._trace.append({**shown, "at_ms": at_ms})

    def _nothing(self, event: Event, at_ms: float) -> None:
        """For events that hold nothing to keep. Their order is checked by the protocol rules."""

    HANDLERS: ClassVar[dict[str, Callable[["TurnBuilder", Event, float], object]]] = {
        "TEXT_MESSAGE_START": _text_start,
        "TEXT_MESSAGE_CONTENT": _text_content,
        "TEXT_MESSAGE_END": _text_end,
        "TEXT_MESSAGE_CHUNK": _on_text_chunk,
        "TOOL_CALL_START": _call_start,
        "TOOL_CALL_ARGS": _call_args,
        "TOOL_CALL_END": _call_end,
        "TOOL_CALL_CHUNK": _on_call_chunk,
        "TOOL_CALL_RESULT": _call_result,
        "STATE_SNAPSHOT": _state_snapshot,
        "STATE_DELTA": _state_delta,
        "MESSAGES_SNAPSHOT": _messages_snapshot,
        "REASONING_MESSAGE_START": _reasoning_start,
        "REASONING_MESSAGE_CONTENT": _reasoning_content,
        "REASONING_MESSAGE_CHUNK": _reasoning_content,
        "REASONING_ENCRYPTED_VALUE": _encrypted_value,
        "THINKING_TEXT_MESSAGE_START": _reasoning_start,
        "THINKING_TEXT_MESSAGE_CONTENT": _reasoning_content,
        **dict.fromkeys(
            (
                "RUN_STARTED",
                "RUN_ERROR",
                "RAW",
                "REASONING_START",
                "REASONING_MESSAGE_END",
                "REASONING_END",
                "THINKING_START",
                "THINKING_TEXT_MESSAGE_END",
                "THINKING_END",
            ),
            _nothing,
        ),
        "RUN_FINISHED": _run_finished,
    }


def _delta(event: Event) -> str:
    delta = event.get("delta")
    return delta if type(delta) is str else args_text_of(delta)
