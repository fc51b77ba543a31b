"""Converts raw values to typed fields, and reports every mismatch with the author's field names."""

from typing import TypeVar

import msgspec

from vivavoce.errors import Problems
from vivavoce.model.json_value import JsonValue, is_array, is_object
from vivavoce.notation.place import FieldProblem, Place
from vivavoce.notation.steps import Steps
from vivavoce.notation.validation_errors import plain_words, split_validation_error

T = TypeVar("T")


def checked(value: JsonValue, kind: type[T], place: Place) -> T:
    """Returns the value as `kind`. Raises a UsageError that names every field that does not fit."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        problems = Problems()
        problems.found += _problems(value, kind, place, str(error))
        raise problems.error() from None


def salvaged(value: JsonValue, kind: type[T], place: Place) -> tuple[T | None, list[FieldProblem]]:
    """Removes the fields that do not fit `kind`. Returns the rest as `kind`, and a problem for each removed field.

    The first is None if nothing is left. Callers use it to look for further problems in the valid fields.
    """
    problems: list[FieldProblem] = []
    removed: set[Steps] = set()
    while True:
        try:
            return msgspec.convert(value, kind), problems
        except msgspec.ValidationError as error:
            found = _problems(value, kind, place, str(error))
        # A field that is missing only because it was removed here has been reported already.
        problems += [problem for problem in found if problem.steps not in removed]
        smaller = value
        for problem in found:
            steps = problem.steps[len(place.steps) :]
            removed.add(problem.steps)
            smaller = _without(smaller, steps if _is_in(value, steps) else steps[:-1])
        if smaller == value or not is_object(smaller):
            return None, problems
        value = smaller


def _problems(value: JsonValue, kind: type, place: Place, complaint: str) -> list[FieldProblem]:
    # Imported here: jsonschema is needed only once something is already wrong.
    from vivavoce.notation.schema_problems import schema_problems

    return schema_problems(value, kind, place) or [_as_msgspec_says(complaint, place)]


def _as_msgspec_says(complaint: str, place: Place) -> FieldProblem:
    """For the few errors that a JSON Schema cannot find, such as 2.0 where a whole number is wanted."""
    _, steps = split_validation_error(complaint)
    there = place.at(*steps)
    if "at `key` in" in complaint:
        return there.problem("every key must be text", "put it in quotes")
    return there.problem(plain_words(complaint.partition(" - at ")[0]))


def _is_in(value: JsonValue, steps: Steps) -> bool:
    if not steps:
        return True
    step = steps[0]
    if is_object(value):
        return step in value and _is_in(value[str(step)], steps[1:])
    return is_array(value) and isinstance(step, int) and _is_in(value[step], steps[1:])


def _without(value: JsonValue, steps: Steps) -> JsonValue:
    """Returns a copy without the field. For an item of a list, removes the whole list: positions must not shift."""
    while steps and isinstance(steps[-1], int):
        steps = steps[:-1]
    if not steps:
        return None
    step, *rest = steps
    if is_array(value) and isinstance(step, int):
        return [_without(inner, tuple(rest)) if index == step else inner for index, inner in enumerate(value)]
    if not is_object(value) or step not in value:
        return value
    if not rest:
        return {name: inner for name, inner in value.items() if name != step}
    return {name: _without(inner, tuple(rest)) if name == step else inner for name, inner in value.items()}
