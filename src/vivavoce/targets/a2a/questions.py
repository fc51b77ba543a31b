"""What an agent asks when its task waits for input, and how an answer to it is sent."""

from typing import Literal

from msgspec import Struct

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, object_in, text_of
from vivavoce.model.message import Interrupt
from vivavoce.notation.interrupt_answers import yes_or_no
from vivavoce.targets.a2a.spelling import Part, objects_in, text_in

CONFIRMATION = "adk_request_confirmation"


class Question(Struct, frozen=True, kw_only=True):
    """Something the agent waits for."""

    interrupt: Interrupt
    asked_by: Literal["adk", "strands", "words"]
    """Who knows how to answer: `words` are answered by any message, the others want a data part of their own."""

    def answer(self, given: ResumeAnswer) -> tuple[str | JsonObject, JsonObject]:
        """What is sent: a text or the data of a part, and the metadata of that part."""
        payload = given.payload
        if self.asked_by == "adk":
            return self._adk_response(given), {"adk_type": "function_response"}
        if self.asked_by == "strands":
            response: JsonValue = "cancelled" if given.cancelled and payload is None else payload
            return {"interruptResponse": {"interruptId": self.interrupt.id, "response": response}}, {}
        if given.cancelled and payload is None:
            return "cancel", {}
        return (payload if is_object(payload) else text_of(payload)), {}

    def _adk_response(self, given: ResumeAnswer) -> JsonObject:
        payload = given.payload
        name = str(self.interrupt.reason or self.interrupt.tool_name or "")
        response: JsonObject
        if is_object(payload):
            response = payload
        elif self.interrupt.reason == CONFIRMATION and (payload is None or yes_or_no(payload) is not None):
            response = {"confirmed": not given.cancelled if payload is None else yes_or_no(payload)}
        elif given.cancelled and payload is None:
            response = {"error": "cancelled by the user"}
        else:
            response = {"result": payload}
        return {"id": self.interrupt.id, "name": name, "response": response}


def questions_in(parts: list[Part]) -> list[Question]:
    """The questions that a status message or an artifact asks by data parts."""
    return [question for part in parts if part.kind == "data" for question in _in_data(part)]


def in_words(task_id: str, state: str, text: str) -> Question:
    """A question asked in plain text: the next message with the task's id answers it."""
    return Question(interrupt=Interrupt(id=task_id, reason=state, message=text or None), asked_by="words")


def _in_data(part: Part) -> list[Question]:
    data = part.value
    if not is_object(data):
        return []
    if part.metadata.get("adk_type") == "function_call" and part.metadata.get("adk_is_long_running"):
        return [_adk(data)]
    if isinstance(data.get("interrupts"), list):
        return [_strands(each) for each in objects_in(data["interrupts"]) if each.get("interruptId")]
    if data.keys() == {"id", "value"} and isinstance(data["id"], str):
        return [_langgraph(data)]
    return []


def _adk(data: JsonObject) -> Question:
    """A tool that runs long, or ADK's own call that asks for the confirmation of another."""
    name, args = text_in(data, "name"), object_in(data, "args")
    call_id = text_in(data, "id")
    if name != CONFIRMATION:
        asked = text_in(args, "question", "message", "prompt") or None
        return Question(
            interrupt=Interrupt(id=call_id, message=asked, tool_call_id=call_id, tool_name=name, payload=args),
            asked_by="adk",
        )
    original = object_in(args, "originalFunctionCall")
    interrupt = Interrupt(
        id=call_id,
        reason=CONFIRMATION,
        message=text_in(object_in(args, "toolConfirmation"), "hint") or None,
        tool_call_id=text_in(original, "id") or None,
        tool_name=text_in(original, "name") or None,
        schema={"type": "object", "properties": {"confirmed": {"type": "boolean"}}, "required": ["confirmed"]},
        payload=original.get("args"),
    )
    return Question(interrupt=interrupt, asked_by="adk")


def _strands(told: JsonObject) -> Question:
    reason: JsonValue = told.get("reason")
    interrupt = Interrupt(
        id=str(told["interruptId"]),
        reason=text_in(told, "name") or None,
        message=None if reason is None else text_of(reason),
        payload=reason,
    )
    return Question(interrupt=interrupt, asked_by="strands")


def _langgraph(data: JsonObject) -> Question:
    value: JsonValue = data["value"]
    asked = text_in(value, "question", "message", "prompt") if is_object(value) else text_of(value)
    interrupt = Interrupt(id=str(data["id"]), reason="interrupt", message=asked or text_of(value), payload=value)
    return Question(interrupt=interrupt, asked_by="words")
