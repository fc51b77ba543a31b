"""Lists all JSON Schema errors of a value in plain words. Imported only when something is wrong."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import msgspec

from vivavoce.errors import did_you_mean
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.notation.place import FieldProblem, Place
from vivavoce.notation.steps import Steps
from vivavoce.notation.validation_errors import TOOL_NAME, TOOL_NAME_WORDS, in_words

_jsonschema: Any = import_module("jsonschema")

_REFERENCE = "#/$defs/{name}"
_COUNTED = {"Length": "characters", "Items": "entries", "Properties": "fields"}
_BOUNDS = {
    "exclusiveMinimum": " above {:g}",
    "exclusiveMaximum": " below {:g}",
    "minimum": ", {:g} or more",
    "maximum": ", {:g} or less",
}
_MOST_EXAMPLES = 2
_MOST_FIELDS = 7
_NUMBER, _WHOLE_NUMBER, _TEXT = in_words("number"), in_words("integer"), in_words("string")


def schema_problems(value: JsonValue, kind: type, place: Place, also_known: Sequence[str] = ()) -> list[FieldProblem]:
    """Returns every problem of a raw value with a msgspec type, each with its place.

    `also_known` are further fields for hints, which are checked elsewhere.
    """
    errors = _validator(kind).iter_errors(value)
    found = [problem for error in errors for problem in _explained(error, place, also_known)]
    above = len(place.steps)
    # jsonschema's order of keys differs between processes.
    return sorted(
        {str(problem): problem for problem in found}.values(),
        key=lambda problem: (problem.line, _position(value, problem.steps[above:])),
    )


def _position(value: JsonValue, steps: Steps) -> list[int]:
    """Returns a sort key: the position of a place in the value. Missing fields come first."""
    position: list[int] = []
    for step in steps:
        if is_object(value) and step in value:
            position.append(list(value).index(step))
            value = value[step]
        elif is_array(value) and isinstance(step, int) and step < len(value):
            position.append(step)
            value = value[step]
        else:
            position.append(-1)
            break
    return position


@cache
def _validator(kind: type) -> Any:
    (schema,), defined = msgspec.json.schema_components([kind], ref_template=_REFERENCE)
    # Types that are only referred to by name have their own decoder, which reports their errors.
    named = re.findall(r'"#/\$defs/([^"]+)"', msgspec.json.encode([schema, defined]).decode())
    return _jsonschema.Draft202012Validator({**schema, "$defs": {**dict.fromkeys(named, True), **defined}})


def _explained(error: Any, place: Place, also_known: Sequence[str] = ()) -> Iterator[FieldProblem]:
    there = place.at(*error.absolute_path)
    found = error.instance
    if error.validator == "additionalProperties" and "properties" in error.schema:
        known = error.schema["properties"]
        hinted = known if error.absolute_path else [*known, *also_known]
        yield from (there.unknown(str(name), hinted) for name in found if name not in known)
    elif error.validator == "required":
        yield from (there.missing(name) for name in error.validator_value if name not in found)
    elif error.validator == "enum":
        choices = [str(choice) for choice in error.validator_value if choice is not None]
        yield there.wanted(" or ".join(choices), found, did_you_mean(str(found), choices))
    elif error.validator == "anyOf":
        yield from _explained_choice(error, place)
    else:
        wanted = _wanted(error)
        hint = _example(error.schema) or _quotes(wanted, found)
        yield there.wanted(wanted, found, hint or (_fields(error.schema) if error.validator == "type" else None))


def _explained_choice(error: Any, place: Place) -> Iterator[FieldProblem]:
    """Explains the errors of the choice whose type fits the value; if none fits, names the types of all choices."""
    choices: dict[int, JsonArray] = {}
    for inner in error.context:
        choices.setdefault(inner.schema_path[0], []).append(inner)
    meant = [errors for errors in choices.values() if not any(_of_another_type(inner, error) for inner in errors)]
    if meant:
        for inner in min(meant, key=len):
            yield from _explained(inner, place)
        return
    types = [words for errors in choices.values() if (words := _wanted(errors[0])) != "null"]
    if _NUMBER in types:
        types = [words for words in types if words != _WHOLE_NUMBER]
    examples = (error.schema, *(errors[0].schema for errors in choices.values()))
    hint = next((hint for schema in examples if (hint := _example(schema)) is not None), None)
    values = [choice for inner in error.context if inner.validator == "enum" for choice in inner.validator_value]
    if values:
        hint = did_you_mean(str(error.instance), values)
    wanted = " or ".join(dict.fromkeys(types))
    hint = hint or _quotes(wanted, error.instance)
    fields = next(filter(None, (_fields(errors[0].schema) for errors in choices.values())), None)
    yield place.at(*error.absolute_path).wanted(wanted, error.instance, hint or fields)


def _of_another_type(inner: JsonValue, outer: JsonValue) -> bool:
    return inner.validator in ("type", "enum") and len(inner.absolute_path) == len(outer.absolute_path)


def _wanted(error: Any) -> str:
    """Returns what a rule of the schema wants: `a whole number, 1 or more`."""
    rule, limit = error.validator, error.validator_value
    if rule == "enum":
        return " or ".join(map(str, limit))
    if (rule, limit) == ("pattern", TOOL_NAME):
        return TOOL_NAME_WORDS
    words = in_words(str(error.schema.get("type")))
    if rule == "type":
        return words
    if rule in ("minLength", "minItems", "minProperties"):
        return f"{words} that is not empty" if limit == 1 else f"{words} with at least {limit} {_COUNTED[rule[3:]]}"
    if rule in ("maxLength", "maxItems", "maxProperties"):
        return f"{words} with at most {limit} {_COUNTED[rule[3:]]}"
    return f"{words}{_bounds(error.schema)}" if rule in _BOUNDS else str(error.message)


def _fields(schema: JsonObject) -> str | None:
    """Returns a hint for a value that is not an object: the fields if there are few, or those it must have."""
    known = list(schema.get("properties", ()))
    if 0 < len(known) <= _MOST_FIELDS:
        return f"its fields: {', '.join(known)}"
    needed = ", ".join(f"{name}: …" for name in schema.get("required", ()))
    return f"write {{{needed}}}" if needed else None


def _bounds(schema: JsonObject) -> str:
    """Returns all limits of a number: ` from 0 to 1`, `, 1 or more`."""
    if "minimum" in schema and "maximum" in schema:
        return f" from {schema['minimum']:g} to {schema['maximum']:g}"
    said = [words.format(schema[rule]) for rule, words in _BOUNDS.items() if rule in schema]
    return " and".join(said).replace(" and, ", " and ")


def _quotes(wanted: str, found: JsonValue) -> str | None:
    """Returns a hint for a number or boolean where a text is wanted."""
    return "put it in quotes" if wanted == _TEXT and isinstance(found, bool | int | float) else None


def _example(schema: JsonValue) -> str | None:
    """Returns a hint with the examples from the field's declaration."""
    examples: JsonArray = schema.get("examples", []) if is_object(schema) else []
    shown = [msgspec.json.encode(example).decode() for example in examples[:_MOST_EXAMPLES]]
    return f"write it like {' or '.join(shown)}" if shown else None
