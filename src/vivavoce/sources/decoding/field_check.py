"""Raw values → typed fields, with every mismatch told in the author's own terms."""

import re
from typing import Any, TypeVar

import msgspec

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import is_array, is_object
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.sources.decoding.case_fields import (
    CheckpointFields,
    HookFields,
    InteractiveFields,
    OptionsFields,
    ResumeFields,
    SimulatorFields,
    ToolFields,
    TurnFields,
)
from vivavoce.sources.decoding.place import Place, Step

T = TypeVar("T")

_OWNERS: dict[Step, Any] = {
    "checkpoints": CheckpointFields,
    "hooks": HookFields,
    "interactive": InteractiveFields,
    "options": OptionsFields,
    "resume": ResumeFields,
    "simulator": SimulatorFields,
    "tools": ToolFields,
    "turns": TurnFields,
}
_CHOICES: dict[Step, list[str]] = {
    "type": ["single_turn", "multi_turn"],
    "on_missing_input": ["skip", "fail", "end"],
    "role": ["user", "assistant", "system", "developer", "tool"],
}
_IN_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_HINTS: dict[Step, str] = {
    "timeout": 'write it like "30s" or "2m"',
    "cmd": 'write it like ["bash", "setup.sh"]',
    "tags": 'write it like ["smoke"]',
    "interactive": 'write it like {"enabled": true}',
    "simulator": 'write it like {"use": "my.simulator"}',
}


def checked(value: Any, kind: type[T], place: Place) -> T:
    """The value as `kind`. Raises a UsageError that names the field, what was found and what is wanted."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _explained(str(error), value, kind, place) from None


def unknown_field(name: str, known: list[str], place: Place) -> UsageError:
    """A complaint about `place` that stands where the field itself does."""
    hint = did_you_mean(name, known) or f"known: {', '.join(sorted(known))}"
    problem = place.problem(f"unknown field {name!r}", hint)
    return UsageError(problem.what, at=place.at(name).here, hint=hint)


def _explained(error: str, value: Any, kind: Any, place: Place) -> UsageError:
    what = error.partition(" - at ")[0]
    _, steps = split_validation_error(error)
    there = place.at(*steps)
    last = next((step for step in reversed(steps) if isinstance(step, str)), None)
    owner: Any = _OWNERS.get(last, kind) if last else kind
    if match := re.fullmatch(r"Object contains unknown field `(.+)`", what, re.DOTALL):
        return unknown_field(match[1], list(owner.__struct_encode_fields__), there)
    if match := re.fullmatch(r"Object missing required field `(.+)`", what):
        return there.problem(f"{match[1]!r} is missing")
    if "at `key` in" in error:
        return there.problem("every key must be text", "put it in quotes")
    found = _value_at(value, steps)
    if what.startswith("Invalid enum value") and last:
        choices = _CHOICES[last]
        return there.wanted(" or ".join(choices), found, did_you_mean(str(found), choices))
    return there.wanted(_in_words(what), found, _HINTS.get(last) if last else None)


def _in_words(what: str) -> str:
    """msgspec's "Expected `bool | str | null`, got `int`" as a person says it."""
    expected = re.match(r"Expected `([^`]+)`(?: of length)?(?: (>=|>) (\S+?))?(?:,|$)", what)
    if not expected:
        return what
    names = [_IN_WORDS.get(name, name) for name in expected[1].split(" | ") if name != "null"]
    words = " or ".join(names)
    if expected[2] is None:
        return words
    if "of length" in what:
        return f"{words} that is not empty"
    return f"{words} above {expected[3]}" if expected[2] == ">" else f"{words}, {expected[3]} or more"


def _value_at(value: Any, steps: tuple[Step, ...]) -> Any:
    for step in steps:
        if is_object(value):
            value = value.get(str(step))
        elif is_array(value) and isinstance(step, int):
            value = value[step]
    return value
