"""The protocol's own rules, checked on every run: order, open ids, the end, the interrupt contract."""

from collections.abc import Callable, Container
from typing import ClassVar

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.targets.ag_ui.spelling import SNAKE_CASE, read_key

Event = JsonObject

MOST_TOLD = 20
_TERMINAL = frozenset({"RUN_FINISHED", "RUN_ERROR"})


class ProtocolRules:
    """Watches one run. What it finds are warnings, or failures under --strict-protocol."""

    def __init__(self, known_calls: Container[str], resumed: frozenset[str] = frozenset()) -> None:
        self._known_calls = known_calls
        """Every call heard of in the conversation, this run's included."""
        self._resumed = resumed
        self.resumes = bool(resumed)
        """Whether the run answers an interrupt."""
        """Interrupts that this run was asked to go on from."""
        self._found: list[str] = []
        self._started = False
        self._began_wrong = False
        self._ended_by: str | None = None
        self._texts: dict[str, bool] = {}
        """Every message of this run, and whether it is open."""
        self._calls: dict[str, bool] = {}
        self._results: set[str] = set()
        self._steps: dict[str, int] = {}
        self._subagents: set[str] = set()
        self._text_chunk: str | None = None
        self._call_chunk: str | None = None

    def check(self, kind: str, event: Event) -> None:
        """One event against the rules of its kind; to be called after it was handled."""
        check = self.CHECKS.get(kind)
        if check is not None:
            check(self, event)

    def order(self, kind: str) -> None:
        """An event whose place in the run matters; to be called before its own check."""
        if self._ended_by is not None and not (kind == "RUN_ERROR" and self._ended_by == "RUN_FINISHED"):
            self._say(f"{kind} after {self._ended_by}")
        if kind in _TERMINAL:
            self._ended_by = kind
        elif not (self._started or self._began_wrong) and kind != "RUN_STARTED":
            self._say(f"{kind} before RUN_STARTED")
            self._began_wrong = True

    def is_open(self, message_id: str) -> bool:
        """Whether words of this message may come."""
        return self._texts.get(message_id, False)

    def found(self) -> list[str]:
        """Every breach once; a missing end is one too."""
        if self._ended_by and not self._found:
            return []
        missing = [] if self._ended_by else ["the stream has no RUN_FINISHED and no RUN_ERROR"]
        told = list(dict.fromkeys([*self._found, *missing]))
        return told if len(told) <= MOST_TOLD else [*told[:MOST_TOLD], f"and {len(told) - MOST_TOLD} more"]

    def _say(self, what: str) -> None:
        self._found.append(what)

    def _name(self, event: Event, key: str) -> str:
        """Returns the value of a key as text. A key in snake_case is read too, and reported as a breach."""
        found = event.get(key)
        if found is None and (found := read_key(event, key)) is not None:
            self._say(f"{event.get('type', 'an interrupt')} with {SNAKE_CASE[key]}, wanted {key}")
        return str(found or "")

    # ── the run ──

    def _run_started(self, event: Event) -> None:
        if self._started:
            self._say("a second RUN_STARTED in one run")
        self._started = True

    def _run_finished(self, event: Event) -> None:
        for what, opened in (("message", self._texts), ("tool call", self._calls)):
            for name, is_open in opened.items():
                if is_open:
                    self._say(f"RUN_FINISHED while {what} {name} is open")
        for name, depth in self._steps.items():
            if depth > 0:
                self._say(f"RUN_FINISHED while step {name} is open")
        for name in self._subagents:
            self._say(f"RUN_FINISHED while sub-agent {name} is running")
        outcome = event.get("outcome")
        if is_object(outcome):
            self._outcome(outcome)

    def _outcome(self, outcome: Event) -> None:
        kind = outcome.get("type")
        if kind == "success":
            for call_id in map(str, _list(outcome.get("pendingToolCallIds"))):
                if call_id not in self._known_calls:
                    self._say(f"pendingToolCallIds names {call_id}, which was never started")
                elif call_id in self._results:
                    self._say(f"pendingToolCallIds names {call_id}, which has a result")
        elif kind == "interrupt":
            self._interrupts(_list(outcome.get("interrupts")))
        elif kind != "cancelled":
            self._say(f"unknown outcome {kind!r}")

    def _interrupts(self, interrupts: JsonArray) -> None:
        if not interrupts:
            self._say("an interrupt outcome without any interrupt")
        ids = [interrupt.get("id") if is_object(interrupt) else None for interrupt in interrupts]
        named = [str(name) for name in ids if name]
        if len(named) < len(ids):
            self._say("an interrupt without an id cannot be answered")
        if len(set(named)) < len(named):
            self._say("two interrupts share one id")
        for again in self._resumed.intersection(named):
            self._say(f"interrupt {again} was answered and is open again")
        for interrupt in interrupts:
            if is_object(interrupt) and (call := self._name(interrupt, "toolCallId")) and call not in self._known_calls:
                self._say(f"interrupt {interrupt.get('id')} is about tool call {call}, which was never started")

    # ── messages ──

    def _text_start(self, event: Event) -> None:
        name = self._name(event, "messageId")
        if not name:
            self._say("TEXT_MESSAGE_START without messageId")
        if self._texts.get(name):
            self._say(f"TEXT_MESSAGE_START for message {name}, which is open already")
        self._texts[name] = True

    def _text_content(self, event: Event) -> None:
        if not self._texts.get(self._name(event, "messageId")):
            self._say(f"TEXT_MESSAGE_CONTENT for message {event.get('messageId')}, which is not open")

    def _text_end(self, event: Event) -> None:
        name = self._name(event, "messageId")
        if not self._texts.get(name):
            self._say(f"TEXT_MESSAGE_END for message {name}, which is not open")
        self._texts[name] = False

    def _on_text_chunk(self, event: Event) -> None:
        if not self._name(event, "messageId") and self._text_chunk is None:
            self._say("the first TEXT_MESSAGE_CHUNK has no messageId")
        self._text_chunk = self._name(event, "messageId") or self._text_chunk

    def _messages_snapshot(self, event: Event) -> None:
        for message in _list(event.get("messages")):
            if not is_object(message):
                self._say("MESSAGES_SNAPSHOT with a message that is no object")
            elif not all(map(is_object, _list(message.get("content")))):
                self._say(f"MESSAGES_SNAPSHOT with content of message {message.get('id')} that is no object")

    # ── tool calls ──

    def _call_start(self, event: Event) -> None:
        name = self._name(event, "toolCallId")
        if not name or not self._name(event, "toolCallName"):
            self._say("TOOL_CALL_START without toolCallId or toolCallName")
        if name in self._calls:
            self._say(f"TOOL_CALL_START for tool call {name}, which this run started already")
        self._calls[name] = True

    def _call_args(self, event: Event) -> None:
        if not self._calls.get(self._name(event, "toolCallId")):
            self._say(f"TOOL_CALL_ARGS for tool call {event.get('toolCallId')}, which is not open")

    def _call_end(self, event: Event) -> None:
        name = self._name(event, "toolCallId")
        if not self._calls.get(name):
            self._say(f"TOOL_CALL_END for tool call {name}, which is not open")
        self._calls[name] = False

    def _on_call_chunk(self, event: Event) -> None:
        name = self._name(event, "toolCallId")
        if not name and self._call_chunk is None:
            self._say("the first TOOL_CALL_CHUNK has no toolCallId")
        if name and name not in self._calls and not self._name(event, "toolCallName"):
            self._say(f"the first TOOL_CALL_CHUNK of {name} has no toolCallName")
        self._call_chunk = name or self._call_chunk
        self._calls.setdefault(name, False)

    def _call_result(self, event: Event) -> None:
        name = self._name(event, "toolCallId")
        if name not in self._known_calls:
            self._say(f"TOOL_CALL_RESULT for tool call {name}, which was never started")
        if self._calls.get(name):
            self._say(f"TOOL_CALL_RESULT for tool call {name} before its TOOL_CALL_END")
        if name in self._results:
            self._say(f"a second TOOL_CALL_RESULT for tool call {name}")
        self._results.add(name)

    # ── steps and sub-agents ──

    def _step_started(self, event: Event) -> None:
        name = self._name(event, "stepName")
        self._steps[name] = self._steps.get(name, 0) + 1

    def _step_finished(self, event: Event) -> None:
        name = self._name(event, "stepName")
        if self._steps.get(name, 0) < 1:
            self._say(f"STEP_FINISHED for step {name}, which was not started")
        else:
            self._steps[name] -= 1

    def _subagent_started(self, event: Event) -> None:
        self._subagents.add(self._name(event, "subagentRunId"))

    def _subagent_ended(self, event: Event) -> None:
        name = self._name(event, "subagentRunId")
        if name not in self._subagents:
            self._say(f"{event['type']} for sub-agent {name}, which was not started")
        self._subagents.discard(name)

    CHECKS: ClassVar[dict[str, Callable[["ProtocolRules", Event], None]]] = {
        "RUN_STARTED": _run_started,
        "RUN_FINISHED": _run_finished,
        "TEXT_MESSAGE_START": _text_start,
        "TEXT_MESSAGE_CONTENT": _text_content,
        "TEXT_MESSAGE_END": _text_end,
        "TEXT_MESSAGE_CHUNK": _on_text_chunk,
        "TOOL_CALL_START": _call_start,
        "TOOL_CALL_ARGS": _call_args,
        "TOOL_CALL_END": _call_end,
        "TOOL_CALL_CHUNK": _on_call_chunk,
        "TOOL_CALL_RESULT": _call_result,
        "MESSAGES_SNAPSHOT": _messages_snapshot,
        "STEP_STARTED": _step_started,
        "STEP_FINISHED": _step_finished,
        "SUBAGENT_STARTED": _subagent_started,
        "SUBAGENT_FINISHED": _subagent_ended,
        "SUBAGENT_ERROR": _subagent_ended,
    }


def _list(value: JsonValue) -> JsonArray:
    return list(value) if is_array(value) else []
