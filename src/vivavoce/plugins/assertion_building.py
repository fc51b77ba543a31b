"""An AssertionSpec → the check it describes: the one way from plain data to something that judges."""

import re
from collections.abc import Iterator

import msgspec

from vivavoce.errors import Problems, UsageError, did_you_mean
from vivavoce.model.case import AssertionSpec, Origin
from vivavoce.model.json_value import JsonValue, iter_texts
from vivavoce.notation.other_tools import hint_for_foreign_type
from vivavoce.notation.place import Place
from vivavoce.notation.validation_errors import plain_words, split_validation_error
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.protocols import Assertion

_EXAMPLES = {"name": "search_orders", "tool": "search_orders", "path": "$.status", "schema": {"type": "object"}}
_HINTS = {"criteria": "criteria in your own words go into `value`"}
COMMON_FIELDS = ("type", "negate", "message", "path", "weight")
"""What every assertion may say, whatever its type."""


def build_check(spec: AssertionSpec) -> Assertion:
    """The check, its fields converted and checked; what does not fit is a usage error."""
    kind = ASSERTIONS.load(spec.type)
    try:
        return msgspec.convert(spec.fields, kind)
    except msgspec.ValidationError as error:
        unknown = next((problem for _, problem in _unknown_fields(spec)), None)
        raise unknown or _bad_field(spec, str(error)) from None


def validated(spec: AssertionSpec, place: Place) -> AssertionSpec:
    """Returns the same spec, found to be sound, and notes its place. Raises everything that is wrong with it."""
    try:
        build_check(spec)
    except UsageError as error:
        problems = Problems()
        problems.found += (
            place.problem(unknown.what, unknown.hint, inside=(name,)) for name, unknown in _unknown_fields(spec)
        )
        problems.raise_any()
        # A `${VAR}` gets its value only when it is used: until then only the names can be checked.
        if spec.type not in ASSERTIONS or not _has_variable(spec.fields):
            hint = error.hint if spec.type in ASSERTIONS else hint_for_foreign_type(spec.type) or error.hint
            raise _in_own_words(spec, place) or place.problem(error.what, hint) from None
    if place.checks is not None:
        place.checks.append(place.steps)
    return spec


def judges_output(kind: type[Assertion]) -> bool:
    """Whether `path` means anything to this kind of check. A plug-in that does not say judges the output."""
    return getattr(kind, "judges_output", True)


def _unknown_fields(spec: AssertionSpec) -> Iterator[tuple[str, UsageError]]:
    if spec.type not in ASSERTIONS:
        return
    known = ASSERTIONS.load(spec.type).__struct_fields__
    for name in spec.fields:
        if name not in known:
            hint = did_you_mean(name, [*known, *COMMON_FIELDS]) or f"known: {', '.join((*known, *COMMON_FIELDS))}"
            yield name, UsageError(f"unknown field {name!r} in the assertion {spec.type!r}", hint=hint)


def _bad_field(spec: AssertionSpec, complaint: str) -> UsageError:
    missing = re.fullmatch(r"Object missing required field `(\w+)`", complaint)
    if missing:
        example = msgspec.json.encode({"type": spec.type, missing[1]: _EXAMPLES.get(missing[1], "…")}).decode()
        return UsageError(f"the assertion {spec.type!r} needs {missing[1]!r}", hint=f"for example {example}")
    # Imported here: jsonschema is needed only once something is already wrong.
    from vivavoce.notation.schema_problems import schema_problems

    found = schema_problems(spec.fields, ASSERTIONS.load(spec.type), Place(Origin("", 0)))
    if found:
        hint = next((problem.hint for problem in found if problem.hint), None)
        hint = hint or next((_HINTS.get(str(problem.steps[-1])) for problem in found if problem.steps), None)
        return UsageError(f"in the assertion {spec.type!r}: {'; '.join(one.what for one in found)}", hint=hint)
    # What a JSON Schema cannot say, and what the check itself complains about.
    what, _, where = complaint.partition(" - at `")
    field = split_validation_error(f" - at `{where}")[0].removesuffix(": ") if where else ""
    return UsageError(f"in the assertion {spec.type!r}: {f'{field}: ' if field else ''}{plain_words(what)}")


def _in_own_words(spec: AssertionSpec, place: Place) -> UsageError | None:
    """Returns the errors inside a field, each with its place; None where only the field as a whole is wrong."""
    if spec.type not in ASSERTIONS:
        return None
    # Imported here: jsonschema is needed only once something is already wrong.
    from vivavoce.notation.schema_problems import schema_problems

    found = schema_problems(spec.fields, ASSERTIONS.load(spec.type), place)
    inside = [problem for problem in found if len(problem.steps) > len(place.steps) + 1]
    if not inside or len(inside) < len(found) or not spec.fields:
        return None
    problems = Problems()
    problems.found += inside
    return problems.error()


def _has_variable(value: JsonValue) -> bool:
    return any("${" in text for text in iter_texts(value))
