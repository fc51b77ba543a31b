"""Structured output emptied, replaced, cut, or with another number in it."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_number, is_object
from vivavoce.model.mutant_kinds import MutantKind

_LONGEST_SUGGESTION = 300
_MOST_MEMBERS = 20
_Steps = tuple[str | int, ...]


class Variant(Struct, frozen=True):
    """Another reply of one turn."""

    kind: MutantKind
    words: str
    text: str = ""
    data: JsonValue | UnsetType = UNSET
    suggestions: tuple[JsonObject, ...] = ()


def data_variants(data: JsonValue) -> Iterator[Variant]:
    """Other structured outputs, each with checks that notice the difference from `data`."""
    same: JsonObject = {"type": "equals", "value": data}
    checks = (same,) if len(compact_json(data)) <= _LONGEST_SUGGESTION else ()
    nothing: JsonValue = {} if is_object(data) else [] if is_array(data) else None
    if nothing != data:
        yield Variant(MutantKind.REPLY_EMPTIED, "nothing is in the output", data=nothing, suggestions=checks)
    yield Variant(MutantKind.REPLY_REPLACED, "another output", data={"error": "cannot help"}, suggestions=checks)
    if is_object(data) and data:
        for name in list(data)[:_MOST_MEMBERS]:
            rest = {key: value for key, value in data.items() if key != name}
            there: JsonObject = {"type": "json_path", "path": _path((name,)), "value": data[name]}
            words = f"{name} is missing from the output"
            yield Variant(MutantKind.REPLY_CUT, words, data=rest, suggestions=(*checks, there))
    elif is_array(data) and data:
        yield Variant(MutantKind.REPLY_CUT, "the last item is missing", data=data[:-1], suggestions=checks)
    if (found := _first_number(data, ())) is not None:
        steps, number = found
        value: JsonObject = {"type": "json_path", "path": _path(steps), "value": number}
        yield Variant(
            MutantKind.REPLY_NUMBER,
            f"the number {number} is another one",
            data=_replaced(data, steps, number + 1),
            suggestions=(value, *checks),
        )


def _first_number(value: JsonValue, steps: _Steps) -> tuple[_Steps, int | float] | None:
    if is_number(value):
        return steps, value
    members = value.items() if is_object(value) else enumerate(value) if is_array(value) else ()
    for key, member in members:
        if (found := _first_number(member, (*steps, key))) is not None:
            return found
    return None


def _replaced(value: JsonValue, steps: _Steps, by: JsonValue) -> JsonValue:
    if not steps:
        return by
    step, rest = steps[0], steps[1:]
    if is_object(value):
        return {key: _replaced(member, rest, by) if key == step else member for key, member in value.items()}
    assert is_array(value)
    return [_replaced(member, rest, by) if at == step else member for at, member in enumerate(value)]


def _path(steps: _Steps) -> str:
    """As a JSON path of RFC 9535."""
    return "$" + "".join(_step(step) for step in steps)


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() and step.isascii() else f"[{compact_json(step)}]"
