"""Reading what a simulator answered: JSON in any wrapping, or simply the line itself."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_number, is_object, text_of
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.transcript import Ending, EndReason
from vivavoce.notation.json_claims import contradicts_itself
from vivavoce.notation.json_text import FoundJson, find_json, without_thinking
from vivavoce.wording.terminal_text import clip

_LINE_KEYS = ("input", "message")
_KNOWN_KEYS = frozenset({*_LINE_KEYS, "goal_achieved", "resume"})
_RESUME_KEYS = frozenset(ResumeAnswer.__struct_fields__)
_YES = frozenset({"true", "yes", "1"})


class SimulatorLine(Struct, frozen=True, kw_only=True):
    """What the simulated user says, and whether its goal is achieved."""

    text: str
    goal_achieved: bool = False
    reasoning: str | None = None
    resume: tuple[ResumeAnswer, ...] = ()


def simulator_error(what: str) -> Ending:
    return Ending(EndReason.SIMULATOR_ERROR, what)


def read_simulator_reply(reply: AgentReply, heard: str = "") -> SimulatorLine | Ending:
    """The simulator's line; a reply without a line and without a goal achieved is a simulator error quoting it.

    `heard` is what the agent said last: the simulator may quote it.
    """
    if reply.status is not ExchangeStatus.SUCCESS:
        return simulator_error(reply.error or f"the call ended with status {reply.status.value}")
    if (answer := _known_object(reply.data)) is not None:
        return _read_object(answer)
    if isinstance(reply.data, bool) or reply.data is None:
        return simulator_error(f"it gave no line{_quoted(reply.data)}")
    text = without_thinking(reply.data if isinstance(reply.data, str) else reply.text)
    if not text:
        return simulator_error(f"it gave no line{_quoted(reply.data) if is_object(reply.data) else ''}")
    if text.startswith("<think"):
        return simulator_error(f"it only thought and gave no line{_quoted(text)}")
    return _read_text(text, heard)


def _read_text(text: str, heard: str) -> SimulatorLine | Ending:
    found = find_json(text)
    if found is not None and (answer := _known_object(found.value)) is not None:
        if found.written in heard and not _is_all_json(text, found):
            return SimulatorLine(text=text)
        # It may quote the agent: a quoted `goal_achieved` must not count.
        if contradicts_itself(text, "goal_achieved"):
            return simulator_error(f"it contradicts itself about goal_achieved{_quoted(text)}")
        return _read_object(answer)
    if _is_all_json(text, found):
        return simulator_error(f'its JSON has no line ("input" or "message"){_quoted(text)}')
    return SimulatorLine(text=text)


def _is_all_json(text: str, found: FoundJson | None) -> bool:
    """Whether the whole reply was meant as JSON; JSON inside other words belongs to what the user says."""
    if found is None:
        return text.startswith('{"')
    return text.startswith(("{", "[", "```")) and (found.repaired or text.endswith(("}", "]", "```")))


def _known_object(value: object) -> JsonObject | None:
    """Returns the object with the answer, also from a list of one."""
    if is_array(value) and len(value) == 1:
        value = value[0]
    return value if is_object(value) and not _KNOWN_KEYS.isdisjoint(value) else None


def _read_object(answer: JsonObject) -> SimulatorLine | Ending:
    text = next((words for key in _LINE_KEYS if (words := _words(answer.get(key)))), "")
    goal_achieved = _is_yes(answer.get("goal_achieved"))
    resume = _resume_answers(answer.get("resume"))
    if not (text or goal_achieved or resume):
        return simulator_error(f'its answer has no line ("input" or "message"){_quoted(answer)}')
    reasoning = text_of(answer.get("reasoning")) or None
    return SimulatorLine(text=text, goal_achieved=goal_achieved, reasoning=reasoning, resume=resume)


def _words(value: JsonValue) -> str:
    """Returns the line from any of its shapes: text, a number, a message object, a list of parts."""
    if isinstance(value, str):
        return value.strip()
    if is_number(value):
        return text_of(value)
    if is_object(value):
        inner = value.get("content", value.get("text"))
        return inner.strip() if isinstance(inner, str) else ""
    if is_array(value):
        return "\n".join(_texts_of(value))
    return ""


def _texts_of(parts: Iterable[JsonValue]) -> Iterable[str]:
    for part in parts:
        text = part.get("text") if is_object(part) else part
        if isinstance(text, str) and text.strip():
            yield text.strip()


def _is_yes(value: JsonValue) -> bool:
    return value is True or (isinstance(value, str | int) and str(value).strip().lower() in _YES)


def _resume_answers(value: JsonValue) -> tuple[ResumeAnswer, ...]:
    """Returns the answers to interrupts; a value that is no list of answers is one answer."""
    if value is None:
        return ()
    if is_array(value) and value and all(_looks_like_answer(item) for item in value):
        return tuple(_resume_answer(item) for item in value)
    return (_resume_answer(value),)


def _looks_like_answer(value: JsonValue) -> bool:
    return is_object(value) and bool(value) and value.keys() <= _RESUME_KEYS


def _resume_answer(value: JsonValue) -> ResumeAnswer:
    if _looks_like_answer(value):
        try:
            return msgspec.convert(value, ResumeAnswer)
        except msgspec.ValidationError:
            return ResumeAnswer(payload=value)
    return ResumeAnswer(payload=value)


def _quoted(value: JsonValue) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()
    return f": {clip(text, 200)}"
