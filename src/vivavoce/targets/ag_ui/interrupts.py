"""What an agent stopped for, and which of the test's answers it gets."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, text_of
from vivavoce.model.message import Interrupt, ToolCall
from vivavoce.notation.json_text import json_or_text
from vivavoce.targets.ag_ui.call_book import CallBook

LEGACY = "on_interrupt"
"""LangGraph's custom event of the 0.x days, answered through `forwardedProps.command.resume`."""

_YES = frozenset({"yes", "y", "ok", "okay", "approve", "approved", "confirm", "confirmed", "accept", "true"})
_NO = frozenset({"no", "n", "deny", "denied", "reject", "rejected", "decline", "declined", "false"})


class Resumption(Struct, frozen=True, kw_only=True):
    """An answer on its way to the interrupt it is for."""

    interrupt: Interrupt
    answer: ResumeAnswer

    @property
    def is_legacy(self) -> bool:
        return self.interrupt.id.startswith(LEGACY)

    def on_the_wire(self) -> JsonObject:
        if self.answer.cancelled:
            return {"interruptId": self.interrupt.id, "status": "cancelled"}
        return {"interruptId": self.interrupt.id, "status": "resolved", "payload": self.answer.payload}


def legacy_command(resumptions: Sequence[Resumption]) -> JsonObject:
    """What LangGraph's 0.x adapter takes; it has no word for a cancelled interrupt."""
    payloads = [{"cancelled": True} if each.answer.cancelled else each.answer.payload for each in resumptions]
    return {"resume": payloads[0] if len(payloads) == 1 else payloads}


class DeclaredAnswers:
    """The `resume:` of a line. Each entry answers in one round of the turn; those left over are told."""

    def __init__(self, answers: Sequence[ResumeAnswer]) -> None:
        self._left = list(answers)

    @property
    def left(self) -> list[ResumeAnswer]:
        return self._left

    def for_interrupts(self, interrupts: Sequence[Interrupt]) -> tuple[list[Resumption], list[Interrupt]]:
        """What answers which, and the interrupts that nothing answers. Nothing is used up unless all are covered."""
        if not interrupts:
            return [], []
        pairs = [(each, self._best(_names_of(each))) for each in interrupts]
        uncovered = [interrupt for interrupt, answer in pairs if answer is None]
        resumptions = [Resumption(interrupt=each, answer=answer) for each, answer in pairs if answer is not None]
        if not uncovered:
            self._use(each.answer for each in resumptions)
        return resumptions, uncovered

    def for_calls(self, calls: Sequence[ToolCall]) -> list[tuple[ToolCall, ResumeAnswer]]:
        """Synthetic confirmations: calls we did not advertise are answered only when the test names them."""
        if not self._left:
            return []
        asked_about = {_confirmed_tool(call) for call in calls if is_confirmation(call)}
        found = [(call, answer) for call in calls if (answer := self._for_call(call, asked_about)) is not None]
        self._use(answer for _, answer in found)
        return found

    def _for_call(self, call: ToolCall, asked_about: set[str]) -> ResumeAnswer | None:
        names = {"id": {call.id}, "tool": {call.name}, "reason": set[str]()}
        if is_confirmation(call):
            names["tool"].add(_confirmed_tool(call))
            return self._best(names)
        # The call that asks for the confirmation gets the answer; the tool itself is still to run.
        named = [answer for answer in self._left if answer.id or (answer.tool and call.name not in asked_about)]
        return next((answer for answer in named if _fits(answer, names)), None)

    def _best(self, names: dict[str, set[str]]) -> ResumeAnswer | None:
        """The first that fits; an answer that names nothing fits all, but the named ones come first."""
        fitting = [answer for answer in self._left if _fits(answer, names)]
        named = [answer for answer in fitting if answer.id or answer.reason or answer.tool]
        return next(iter([*named, *fitting]), None)

    def _use(self, answers: Iterable[ResumeAnswer]) -> None:
        used = {id(answer) for answer in answers}
        self._left = [answer for answer in self._left if id(answer) not in used]


def read_interrupt(told: JsonValue, calls: CallBook) -> Interrupt:
    """An interrupt of a RUN_FINISHED outcome."""
    told = told if is_object(told) else {}
    call_id = told.get("toolCallId")
    draft = calls.get(str(call_id)) if call_id else None
    schema = told.get("responseSchema")
    return Interrupt(
        id=str(told.get("id") or ""),
        reason=_text(told.get("reason")),
        message=_text(told.get("message")),
        tool_call_id=_text(call_id),
        tool_name=None if draft is None else draft.name,
        schema=schema if is_object(schema) else None,
        payload=told.get("metadata"),
    )


def read_legacy_interrupt(value: JsonValue, number: int) -> Interrupt:
    """LangGraph's value: what the graph passed to `interrupt()`, often as JSON text."""
    if isinstance(value, str):
        value = json_or_text(value)
    told = value if is_object(value) else {}
    return Interrupt(
        id=LEGACY if number == 1 else f"{LEGACY}-{number}",
        reason=_text(told.get("reason")),
        message=value if isinstance(value, str) else _text(told.get("message")),
        tool_call_id=_text(told.get("toolCallId", told.get("tool_call_id"))),
        payload=value,
    )


def spoken_answer(text: str, interrupt: Interrupt) -> ResumeAnswer:
    """What a person's or simulator's words mean as an answer: JSON, a plain yes or no, or the words themselves."""
    word = text.strip().rstrip(".!").lower()
    if word == "cancel":
        return ResumeAnswer(id=interrupt.id, cancelled=True)
    value = json_or_text(text)
    if is_object(value):
        return ResumeAnswer(id=interrupt.id, payload=value)
    flag = _only_flag(interrupt.schema or {})
    if flag and word in _YES | _NO:
        return ResumeAnswer(id=interrupt.id, payload={flag: word in _YES})
    return ResumeAnswer(id=interrupt.id, payload=text)


def is_confirmation(call: ToolCall) -> bool:
    """A call that some server makes up to ask for a confirmation, such as ADK's."""
    return call.name.endswith("request_confirmation")


def confirmation_hint(call: ToolCall) -> str:
    """What the made-up call asks, in words."""
    asked: JsonValue = call.args.get("toolConfirmation") if is_object(call.args) else None
    hint = asked.get("hint") if is_object(asked) else None
    return str(hint) if hint else f"confirmation of {_confirmed_tool(call) or call.name}"


def describe(interrupt: Interrupt) -> str:
    """Which interrupt, as a developer would look for it."""
    about = [f"reason {interrupt.reason!r}"] if interrupt.reason else []
    about += [f"tool {interrupt.tool_name}"] if interrupt.tool_name else []
    about += [f"{interrupt.message!r}"] if interrupt.message else []
    return f"interrupt {interrupt.id} ({', '.join(about)})" if about else f"interrupt {interrupt.id}"


def how_to_answer(interrupt: Interrupt) -> str:
    """The line to write into the test."""
    selector = (
        f"tool: {interrupt.tool_name}"
        if interrupt.tool_name
        else f"reason: {interrupt.reason}"
        if interrupt.reason
        else f"id: {interrupt.id}"
    )
    return f"declare the answer in the turn, e.g. `resume: [{{{selector}, payload: …}}]` or `cancelled: true`"


def describe_answer(answer: ResumeAnswer) -> str:
    named = [
        f"{key} {value}"
        for key, value in (("id", answer.id), ("reason", answer.reason), ("tool", answer.tool))
        if value
    ]
    return ", ".join(named) or "any interrupt"


def _names_of(interrupt: Interrupt) -> dict[str, set[str]]:
    return {
        "id": {interrupt.id},
        "reason": {interrupt.reason or ""},
        "tool": {interrupt.tool_name or "", interrupt.tool_call_id or ""},
    }


def _fits(answer: ResumeAnswer, names: dict[str, set[str]]) -> bool:
    wanted = (("id", answer.id), ("reason", answer.reason), ("tool", answer.tool))
    return all(value is None or value in names[key] for key, value in wanted)


def _confirmed_tool(call: ToolCall) -> str:
    original: JsonValue = call.args.get("originalFunctionCall") if is_object(call.args) else None
    return str(original.get("name") or "") if is_object(original) else ""


def _only_flag(schema: JsonObject) -> str | None:
    """The one yes-or-no field that an answer must have."""
    properties = schema.get("properties")
    if not is_object(properties):
        return None
    required: JsonValue = schema.get("required") or list(properties)
    flags = [name for name in required if is_object(properties.get(name)) and properties[name].get("type") == "boolean"]
    return str(flags[0]) if len(flags) == 1 else None


def _text(value: JsonValue) -> str | None:
    return None if value is None else text_of(value)
