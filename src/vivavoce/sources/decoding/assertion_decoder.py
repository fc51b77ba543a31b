"""`assert` as users write it → AssertionSpecs, in every documented spelling."""

import math

from msgspec import structs

from vivavoce.errors import Problems, did_you_mean
from vivavoce.model.case import FULL_WEIGHT, AssertionSpec, Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_number, is_object
from vivavoce.notation.json_paths import compile_path
from vivavoce.notation.place import Place, quoted
from vivavoce.plugins.assertion_building import judges_output, validated
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.sources.decoding.assert_block import BLOCK_RULES, NOTHING_TO_CHECK, compile_assert_block

OTHER_SPELLINGS: dict[str, dict[str, str]] = {
    "regex": {"pattern": "value"},
    "must_match": {"pattern": "value"},
    "must_not_match": {"pattern": "value"},
    "script": {"script": "use"},
    "json_schema": {"value": "schema"},
    "latency": {"value": "max"},
    "cost": {"value": "max"},
    "tool_result": {"name": "tool"},
}
"""Other names for the fields of a check: the other name → ours."""
FLATTENED = ("tool_called", "tool_result")
"""The checks whose fields may be inside one object, `value`."""
_SPELT_DIFFERENTLY = {*OTHER_SPELLINGS, *FLATTENED}
_BESIDES = frozenset(("negate", "message", "path", "weight"))
"""The fields that every assertion may have."""


def decode_assertions(value: JsonValue, at: Origin) -> tuple[AssertionSpec, ...]:
    """The same for assertions outside of a case file."""
    return assertions_in(value, Place(at))


def assertions_in(value: JsonValue, place: Place) -> tuple[AssertionSpec, ...]:
    """Reads one assertion, a list of them, or an assert block. Raises UsageError with all problems."""
    if is_object(value):
        if "type" in value:
            return (_decode_one(value, place),)
        return _decode_object(value, place) if value else ()
    if value is None:
        raise place.problem("it is empty", NOTHING_TO_CHECK)
    if not is_array(value):
        return _decode_entry(value, place)
    specs: list[AssertionSpec] = []
    problems = Problems()
    for index, entry in enumerate(value):
        with problems:
            specs += _decode_entry(entry, place.at(index))
    problems.raise_any()
    return tuple(specs)


def _decode_entry(entry: JsonValue, place: Place) -> tuple[AssertionSpec, ...]:
    if not is_object(entry):
        raise place.problem(f"an assertion must be an object, not {quoted(entry)}", _as_object(entry))
    return _decode_object(entry, place)


def _decode_object(entry: JsonObject, place: Place) -> tuple[AssertionSpec, ...]:
    if "type" in entry:
        return (_decode_one(entry, place),)
    if any(key in BLOCK_RULES for key in entry):
        return compile_assert_block(entry, place)
    raise place.problem("an assertion needs a 'type'", _missing_type(entry))


def _decode_one(entry: JsonObject, place: Place) -> AssertionSpec:
    fields = entry.copy()
    kind = fields.pop("type")
    if not isinstance(kind, str):
        raise place.problem(f"an assertion's 'type' must be text, not {quoted(kind)}")
    if _BESIDES.isdisjoint(fields):
        if kind in _SPELT_DIFFERENTLY:
            fields = _one_spelling(kind, fields, place)
        return validated(AssertionSpec(type=kind, fields=fields, written=entry), place)
    negate, message, path = fields.pop("negate", False), fields.pop("message", None), fields.pop("path", None)
    weight = fields.pop("weight", FULL_WEIGHT)
    if kind in _SPELT_DIFFERENTLY:
        fields = _one_spelling(kind, fields, place)
    if not isinstance(negate, bool):
        raise place.problem(f"'negate' must be true or false, not {quoted(negate)}", inside=("negate",))
    if not is_number(weight) or not 0 <= weight < math.inf:
        raise place.problem(f"'weight' must be a number from 0 on, not {quoted(weight)}", inside=("weight",))
    spec = AssertionSpec(
        type=kind,
        fields=fields,
        negate=negate,
        message=None if message is None else _text("message", message, place),
        path=None if path is None else _text("path", path, place),
        weight=float(weight),
        written=entry,
    )
    return validated(spec if spec.path is None else _with_path(spec, spec.path, place), place)


def _with_path(spec: AssertionSpec, path: str, place: Place) -> AssertionSpec:
    """Gives the path to the check itself when it has such a field; else it selects the part of the output to judge."""
    if spec.type not in ASSERTIONS:
        return spec
    kind = ASSERTIONS.load(spec.type)
    if "path" in kind.__struct_fields__:
        own: JsonObject = {**spec.fields, "path": path}
        return structs.replace(spec, fields=own, path=None)
    if not judges_output(kind):
        raise place.problem(f"'path' has no meaning for {spec.type!r}: it does not judge the output")
    if "${" not in path:
        try:
            compile_path(path)
        except ValueError as error:
            raise place.problem(str(error)) from None
    return spec


def _one_spelling(kind: str, fields: JsonObject, place: Place) -> JsonObject:
    for other, ours in OTHER_SPELLINGS.get(kind, {}).items():
        if other in fields:
            if ours in fields:
                raise place.problem(f"{other!r} and {ours!r} say the same thing: write one of them")
            fields = {ours if name == other else name: value for name, value in fields.items()}
    if kind in FLATTENED and "value" in fields:
        return _flattened(kind, fields, place)
    return fields


def _flattened(kind: str, fields: JsonObject, place: Place) -> JsonObject:
    """Moves the fields inside `value: {name, arguments}` and `value: {tool, result}` up beside the others."""
    value = fields["value"]
    rest = {name: inner for name, inner in fields.items() if name != "value"}
    if is_object(value):
        inside = _one_spelling(kind, value, place) if "value" not in value else value
    elif kind == "tool_called":
        inside = {"name": value}
    else:
        raise place.problem("a tool_result's 'value' must be an object: {tool, result}")
    twice = [name for name in inside if name in rest]
    if twice:
        raise place.problem(f"{twice[0]!r} is said twice, inside 'value' and beside it")
    return {**inside, **rest}


def _text(name: str, value: JsonValue, place: Place) -> str:
    if not isinstance(value, str):
        raise place.problem(f"'{name}' must be text, not {quoted(value)}")
    return value


def _as_object(entry: JsonValue) -> str | None:
    return f'write {{"type": "{entry}", …}}' if isinstance(entry, str) and entry in ASSERTIONS else None


def _missing_type(entry: JsonObject) -> str | None:
    for key in entry:
        if key in ASSERTIONS:
            return f'write {{"type": "{key}", …}}'
        if (hint := did_you_mean(key, ["type", *BLOCK_RULES])) is not None:
            return f"{hint.removesuffix('?')} in place of {key!r}?"
    return None
