"""What an agent stopped for, and which of the test's answers it gets."""

from collections.abc import Sequence

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, text_of
from vivavoce.model.message import Interrupt, ToolCall
from vivavoce.notation.interrupt_answers import fits
from vivavoce.notation.json_text import json_or_text
from vivavoce.targets.ag_ui.call_book import CallBook
from vivavoce.targets.resume_answers import DeclaredAnswers, Resumption

LEGACY = "on_interrupt"
"""LangGraph's custom event of the 0.x days, answered through `forwardedProps.command.resume`."""


def is_legacy(resumption: Resumption) -> bool:
    """Whether it answers an interrupt of the 0.x days."""
    return resumption.interrupt.id.startswith(LEGACY)


def on_the_wire(resumption: Resumption) -> JsonObject:
    """The answer as RunAgentInput takes it."""
    if resumption.answer.cancelled:
        return {"interruptId": resumption.interrupt.id, "status": "cancelled"}
    return {"interruptId": resumption.interrupt.id, "status": "resolved", "payload": resumption.answer.payload}


def legacy_command(resumptions: Sequence[Resumption]) -> JsonObject:
    """What LangGraph's 0.x adapter takes; it has no word for a cancelled interrupt."""
    payloads = [{"cancelled": True} if each.answer.cancelled else each.answer.payload for each in resumptions]
    return {"resume": payloads[0] if len(payloads) == 1 else payloads}


class TurnResume(DeclaredAnswers):
    """The `resume:` of a line, which may also answer calls that a server made up to ask for a confirmation."""

    def for_calls(self, calls: Sequence[ToolCall]) -> list[tuple[ToolCall, ResumeAnswer]]:
        """Synthetic confirmations: calls we did not advertise are answered only when the test names them."""
        if not self.left:
            return []
        asked_about = {_confirmed_tool(call) for call in calls if is_confirmation(call)}
        found = [(call, answer) for call in calls if (answer := self._for_call(call, asked_about)) is not None]
        self.use(answer for _, answer in found)
        return found

    def _for_call(self, call: ToolCall, asked_about: set[str]) -> ResumeAnswer | None:
        names = {"id": {call.id}, "tool": {call.name}, "reason": set[str]()}
        if is_confirmation(call):
            names["tool"].add(_confirmed_tool(call))
            return self.best(names)
        # The call that asks for the confirmation gets the answer; the tool itself is still to run.
        named = [answer for answer in self.left if answer.id or (answer.tool and call.name not in asked_about)]
        return next((answer for answer in named if fits(answer, names)), None)


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


def is_confirmation(call: ToolCall) -> bool:
    """A call that some server makes up to ask for a confirmation, such as ADK's."""
    return call.name.endswith("request_confirmation")


def confirmation_hint(call: ToolCall) -> str:
    """What the made-up call asks, in words."""
    asked: JsonValue = call.args.get("toolConfirmation") if is_object(call.args) else None
    hint = asked.get("hint") if is_object(asked) else None
    return str(hint) if hint else f"confirmation of {_confirmed_tool(call) or call.name}"


def _confirmed_tool(call: ToolCall) -> str:
    original: JsonValue = call.args.get("originalFunctionCall") if is_object(call.args) else None
    return str(original.get("name") or "") if is_object(original) else ""


def _text(value: JsonValue) -> str | None:
    return None if value is None else text_of(value)
