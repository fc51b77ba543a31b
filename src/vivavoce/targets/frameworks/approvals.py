"""What a test's answer to an interrupt means where a framework wants a yes or a no."""

from msgspec import Struct

from vivavoce.errors import CallFailed
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import compact_json, is_object
from vivavoce.notation.interrupt_answers import yes_or_no
from vivavoce.wording.quoting import shorten

_FLAGS = ("approved", "confirmed", "accepted", "approve", "decision")
_REASONS = ("reason", "message", "feedback")


class Decision(Struct, frozen=True):
    approved: bool
    reason: str = ""


def decision(answer: ResumeAnswer) -> Decision:
    """Yes or no, and why. Raises CallFailed for a payload that says neither."""
    if answer.cancelled:
        return Decision(False, "cancelled by the user")
    payload = answer.payload
    flag = next((payload[key] for key in _FLAGS if key in payload), None) if is_object(payload) else payload
    reason = next((str(payload[key]) for key in _REASONS if payload.get(key)), "") if is_object(payload) else ""
    decided = yes_or_no(flag)
    if decided is not None:
        return Decision(decided, reason)
    raise CallFailed(
        f"the answer {shorten(compact_json(payload), 80)} says neither yes nor no",
        fault="test",
        hint="write payload: {approved: true} or {approved: false, reason: …}",
    )
