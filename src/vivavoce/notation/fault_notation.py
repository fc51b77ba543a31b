"""Parses faults as people write them: `model:429@2`, `tool:refund:error`, or an object with more fields."""

import msgspec

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.planned_fault import KINDS, PlannedFault
from vivavoce.notation.durations import parse_duration

_FIELDS = ("at", "kind", "name", "nth", "args", "message", "result", "for", "retry_after", "rate", "seed")
_HINT = "write it like model:429@2 or tool:refund:error"


def read_fault(written: JsonValue) -> PlannedFault:
    """Raises UsageError for an impossible fault."""
    fields = _taken_apart(written) if isinstance(written, str) else written
    if not is_object(fields):
        raise UsageError(f"a fault is a text or an object, not {written!r}", hint=_HINT)
    for field in fields:
        if field not in _FIELDS:
            hint = did_you_mean(str(field), list(_FIELDS)) or f"known: {', '.join(_FIELDS)}"
            raise UsageError(f"fault: unknown field {field!r}", hint=hint)
    at, kind = str(fields.get("at", "")), str(fields.get("kind", ""))
    if at not in KINDS:
        raise UsageError(f"fault: `at` is one of {', '.join(KINDS)}, not {at!r}", hint=_HINT)
    if kind not in KINDS[at]:
        hint = did_you_mean(kind, list(KINDS[at])) or f"known: {', '.join(KINDS[at])}"
        raise UsageError(f"fault: {at} knows no kind {kind!r}", hint=hint)
    _refuse_contradictions(at, kind, fields)
    plain: JsonObject = {name: value for name, value in fields.items() if name not in ("for", "retry_after")}
    plain["kind"] = kind
    takes = fields.get("for", fields.get("retry_after"))
    if takes is not None:
        plain["seconds"] = _seconds(takes)
    try:
        return msgspec.convert(plain, PlannedFault)
    except msgspec.ValidationError as error:
        raise UsageError(f"fault {at}:{kind}: {error}") from None


def written_fault(fault: PlannedFault) -> JsonValue:
    """Returns the fault as a case file writes it."""
    plain: JsonObject = msgspec.to_builtins(fault)
    if (seconds := plain.pop("seconds", None)) is not None:
        plain["for"] = f"{seconds * 1000:g}ms"
    return plain


def _taken_apart(text: str) -> JsonObject:
    what, mark, position = text.partition("@")
    at, *rest = what.split(":")
    if not rest or len(rest) > 2 or (len(rest) == 2 and at != "tool") or (mark and not position.isdecimal()):
        raise UsageError(f"not a fault: {text!r}", hint=_HINT)
    fields: JsonObject = {"at": at, "kind": rest[-1]}
    if len(rest) == 2:
        fields["name"] = rest[0]
    return {**fields, "nth": int(position)} if mark else fields


def _refuse_contradictions(at: str, kind: str, fields: JsonObject) -> None:
    name, nth, rate = fields.get("name"), fields.get("nth", 1), fields.get("rate")
    if at == "tool" and not name:
        raise UsageError(f"fault tool:{kind} names no tool", hint="write it like tool:refund:error")
    if at != "tool" and (name or fields.get("args")):
        raise UsageError(f"fault {at}:{kind}: only tools have a `name` and `args`")
    if not isinstance(nth, int) or isinstance(nth, bool) or nth < 1:
        raise UsageError(f"fault {at}:{kind}: `nth` counts from 1, not {nth!r}")
    if kind == "result" and "result" not in fields:
        raise UsageError("a fault of kind `result` needs a `result`")
    if rate is None and "seed" in fields:
        raise UsageError(f"fault {at}:{kind}: a `seed` needs a `rate`")
    if rate is not None and ("seed" not in fields or not isinstance(rate, int | float) or not 0 < rate <= 1):
        raise UsageError(f"fault {at}:{kind}: chance needs a `rate` above 0 and up to 1, and a `seed`")


def _seconds(duration: JsonValue) -> float:
    try:
        return parse_duration(str(duration))
    except ValueError as error:
        raise UsageError(f"fault: {error}") from None
