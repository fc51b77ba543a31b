"""Answers to interrupts: what they mean, which interrupt they are for, and how a test writes them."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import Interrupt
from vivavoce.notation.json_text import json_or_text

_APPROVALS = ("approved", "accepted", "confirmed", "approve", "accept", "confirm")
"""Names of the same field; the Microsoft Agent Framework asks for two of them at once."""
_YES = frozenset({"yes", "y", "ok", "okay", "true", "sure", *_APPROVALS})
_NO = frozenset({"no", "n", "deny", "denied", "reject", "rejected", "decline", "declined", "false"})
_POLITE = frozenset({"please", "thanks", "thank", "you", "i", "that", "it"})
"""Words that do not change a yes or a no. With any other word, the answer may mean something else."""
_ENCOURAGING = frozenset({"go", "ahead", "do", "so", "of", "course"})
"""Words that go with a yes. "No, go ahead" also agrees, so these words are not allowed with a no."""


def yes_or_no(value: JsonValue) -> bool | None:
    """Returns True for a plain yes, False for a plain no, None for everything else."""
    if not isinstance(value, str):
        return value if isinstance(value, bool) else None
    words = {word.strip(".,!") for word in value.lower().split()} - _POLITE - {""}
    if words & _YES and words <= _YES | _ENCOURAGING:
        return True
    return False if words and words <= _NO else None


def spoken_answer(text: str, interrupt: Interrupt) -> ResumeAnswer:
    """Reads the answer of a person or simulator: JSON, a plain yes or no, or the text itself."""
    if text.strip().rstrip(".!").lower() == "cancel":
        return ResumeAnswer(id=interrupt.id, cancelled=True)
    value = json_or_text(text)
    if is_object(value):
        return ResumeAnswer(id=interrupt.id, payload=value)
    flags, decided = _flags(interrupt.schema or {}), yes_or_no(text)
    if flags and decided is not None:
        return ResumeAnswer(id=interrupt.id, payload=dict.fromkeys(flags, decided))
    return ResumeAnswer(id=interrupt.id, payload=text)


def fits(answer: ResumeAnswer, names: dict[str, set[str]]) -> bool:
    wanted = (("id", answer.id), ("reason", answer.reason), ("tool", answer.tool))
    return all(value is None or value in names[key] for key, value in wanted)


def names_of(interrupt: Interrupt) -> dict[str, set[str]]:
    return {
        "id": {interrupt.id},
        "reason": {interrupt.reason or ""},
        "tool": {interrupt.tool_name or "", interrupt.tool_call_id or ""},
    }


def lasting_name(interrupt: Interrupt, still_open: Sequence[Interrupt]) -> ResumeAnswer:
    """Returns an empty answer that selects the interrupt by tool or reason, because its id changes in the next run."""
    tool, reason = interrupt.tool_name, interrupt.reason
    if tool and [each.tool_name for each in still_open].count(tool) == 1:
        return ResumeAnswer(tool=tool)
    if reason and [each.reason for each in still_open].count(reason) == 1:
        return ResumeAnswer(reason=reason)
    return ResumeAnswer() if len(still_open) == 1 else ResumeAnswer(id=interrupt.id)


def written_answers(given: Sequence[ResumeAnswer], still_open: Sequence[Interrupt]) -> Iterator[ResumeAnswer]:
    """Yields the answers of a person or simulator as a test declares them."""
    for answer in given:
        asked = [interrupt for interrupt in still_open if fits(answer, names_of(interrupt))]
        written = [_written(answer, interrupt, lasting_name(interrupt, still_open)) for interrupt in asked]
        for_all = [_written(answer, interrupt, ResumeAnswer()) for interrupt in asked]
        if len(still_open) > 1 and len(asked) == len(still_open) and all(each == for_all[0] for each in for_all):
            yield for_all[0]
        else:
            yield from written or [answer]


def _written(answer: ResumeAnswer, interrupt: Interrupt, name: ResumeAnswer) -> ResumeAnswer:
    is_said = isinstance(answer.payload, str) and not answer.cancelled
    meant = spoken_answer(str(answer.payload), interrupt) if is_said else answer
    return structs.replace(name, payload=meant.payload, cancelled=meant.cancelled)


def _flags(schema: JsonObject) -> list[str]:
    """Returns the boolean fields that a yes or no fills: the only one, or `approved` and its other names."""
    properties = schema.get("properties")
    if not is_object(properties):
        return []
    required: JsonValue = schema.get("required") or list(properties)
    flags = [name for name in required if is_object(properties.get(name)) and properties[name].get("type") == "boolean"]
    approvals = [name for name in flags if name in _APPROVALS]
    return flags if len(flags) == 1 else approvals
