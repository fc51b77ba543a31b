"""JSON Schema validators whose patterns take linear time. Imported only where something is validated."""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from itertools import islice
from typing import Any, TypeAlias

import msgspec

from vivavoce.model.json_value import JsonValue, compact_json, is_array, is_object
from vivavoce.notation.patterns import compile_regex

_jsonschema: Any = import_module("jsonschema")
_referencing: Any = import_module("referencing.jsonschema")

Keyword: TypeAlias = Callable[[Any, Any, Any, Any], Iterator[Any]]
"""(validator, value of the keyword, JSON value, schema that contains the keyword) → errors."""

_ESCAPE = r"(?s)\\(?:u([0-9A-Fa-f]{4})|.)"

ONLY_GOOD_PATTERNS: Any = _jsonschema.FormatChecker(formats=())
"""For check_schema: `format: regex` accepts only patterns that RE2 can compile."""


@ONLY_GOOD_PATTERNS.checks("regex", raises=ValueError)
def is_pattern(value: object) -> bool:
    return not isinstance(value, str) or _compiled(value) is not None


class BadSchema(ValueError):
    """The schema is invalid; `path` says where."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"bad JSON schema at {path}: {what}")
        self.path = path
        self.what = what


@lru_cache(maxsize=512)
def validator_of(schema_text: str) -> Any:
    """Returns a validator for a schema. It never fetches anything from the network. Raises BadSchema."""
    known_schemas: Any = import_module("jsonschema_specifications").REGISTRY
    schema = msgspec.json.decode(schema_text)
    draft = _jsonschema.validators.validator_for(schema, default=_jsonschema.Draft202012Validator)
    try:
        draft.check_schema(schema, ONLY_GOOD_PATTERNS)
    except _jsonschema.SchemaError as error:
        raise BadSchema(error.json_path, str(error.cause or error.message)) from None
    return in_linear_time(draft)(schema, registry=known_schemas)


def schema_errors(schema: JsonValue, value: JsonValue, most: int) -> list[Any]:
    """Returns at most `most` errors of a value, in the order of their paths. Raises BadSchema."""
    errors = islice(validator_of(compact_json(schema)).iter_errors(value), most)
    return sorted(errors, key=lambda error: error.json_path)


@cache
def in_linear_time(draft: Any) -> Any:
    """Returns a draft's validator class with linear-time patterns. A bad pattern raises ValueError."""
    keywords = {name: ours for name, ours in _KEYWORDS.items() if name in draft.VALIDATORS}
    linear = _jsonschema.validators.extend(draft, keywords)
    evolve_plainly = linear.evolve

    def evolve(self: Any, **changes: Any) -> Any:
        evolved = evolve_plainly(self, **changes)
        if evolved.__class__ is linear:
            return evolved
        # For a subschema with its own `$schema`, the library returns its own class again.
        return in_linear_time(evolved.__class__)(
            evolved.schema, registry=evolved._registry, _resolver=evolved._resolver
        )

    linear.evolve = evolve
    return linear


def _pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[Any]:
    if isinstance(value, str) and not _matches(pattern, value):
        yield _error(f"{value!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: dict[str, Any], value: Any, _schema: Any) -> Iterator[Any]:
    if is_object(value):
        for pattern, subschema in patterns.items():
            for name, inner in value.items():
                if _matches(pattern, name):
                    yield from validator.descend(inner, subschema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, value: Any, schema: Any) -> Iterator[Any]:
    if not is_object(value):
        return
    patterns = schema.get("patternProperties", {})
    known = schema.get("properties", {})
    others = [name for name in value if name not in known and not any(_matches(one, name) for one in patterns)]
    if is_object(allowed):
        for name in others:
            yield from validator.descend(value[name], allowed, path=name)
    elif not allowed and others and patterns:
        does = "does" if len(others) == 1 else "do"
        yield _error(f"{_listed(others)} {does} not match any of the regexes: {_listed(list(patterns))}")
    elif not allowed and others:
        yield _error(f"Additional properties are not allowed ({_listed(others)} {_were(others)} unexpected)")


def _unevaluated_properties(validator: Any, allowed: Any, value: Any, schema: Any) -> Iterator[Any]:
    if not is_object(value):
        return
    others = {name: inner for name, inner in value.items() if name not in _evaluated(validator, value, schema)}
    wrong = [name for name, inner in others.items() if not _is_valid(validator, inner, allowed)]
    if wrong and allowed is False:
        yield _error(f"Unevaluated properties are not allowed ({_listed(wrong)} {_were(wrong)} unexpected)")
    elif wrong:
        what = f"{_listed(wrong)} {_were(wrong)} unevaluated and invalid"
        yield _error(f"Unevaluated properties are not valid under the given schema ({what})")


def _unique_items(_validator: Any, wanted: Any, value: Any, _schema: Any) -> Iterator[Any]:
    """Compares hashes; the library compares each item with every other one."""
    if wanted and isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType] - JSON
        if len({_hashable(item) for item in items}) < len(items):
            yield _error(f"{items!r} has non-unique elements")


def _hashable(value: Any) -> Any:
    """Returns equal keys for equal JSON values: 1 equals 1.0, but not true."""
    if is_object(value):
        return frozenset((name, _hashable(inner)) for name, inner in value.items())
    if is_array(value):
        return tuple(_hashable(inner) for inner in value)
    return (bool, value) if isinstance(value, bool) else value


_KEYWORDS: dict[str, Keyword] = {
    "uniqueItems": _unique_items,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "unevaluatedProperties": _unevaluated_properties,
}


def _evaluated(validator: Any, value: dict[str, Any], schema: Any) -> set[str]:
    """Returns the properties of an object that a schema, or a subschema for the same object, evaluates."""
    if not is_object(schema):
        return set()
    names = {name for name in value if name in schema.get("properties", {})}
    names |= {name for name in value for pattern in schema.get("patternProperties", {}) if _matches(pattern, name)}
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema:
            names |= {name for name, inner in value.items() if _is_valid(validator, inner, schema[keyword])}
    for inner_validator, subschema in _applied_in_place(validator, value, schema):
        names |= _evaluated(inner_validator, value, subschema)
    return names


def _applied_in_place(validator: Any, value: dict[str, Any], schema: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yields the subschemas for the same object, each with a validator that resolves its references."""
    for keyword, look_up in _REFERENCES.items():
        if keyword in schema:
            found = look_up(validator._resolver, schema[keyword])
            yield validator.evolve(schema=found.contents, _resolver=found.resolver), found.contents
    for keyword in ("allOf", "anyOf", "oneOf"):
        for subschema in schema.get(keyword, ()):
            if _is_valid(validator, value, subschema):
                yield validator, subschema
    for name, subschema in schema.get("dependentSchemas", {}).items():
        if name in value:
            yield validator, subschema
    if "if" in schema:
        holds = _is_valid(validator, value, schema["if"])
        if holds:
            yield validator, schema["if"]
        yield validator, schema.get("then" if holds else "else")


_REFERENCES: dict[str, Callable[[Any, Any], Any]] = {
    "$ref": lambda resolver, ref: resolver.lookup(ref),
    "$dynamicRef": lambda resolver, ref: resolver.lookup(ref),
    "$recursiveRef": lambda resolver, _: _referencing.lookup_recursive_ref(resolver),
}


def _is_valid(validator: Any, value: Any, schema: Any) -> bool:
    return next(iter(validator.descend(value, schema)), None) is None


def _error(message: str) -> Any:
    return _jsonschema.ValidationError(message)


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, sorted(names)))


def _were(names: list[str]) -> str:
    return "was" if len(names) == 1 else "were"


def _matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


def _compiled(pattern: str) -> Any:
    """Compiles a JavaScript pattern: JSON Schema writes `\\u00e9` where RE2 wants `\\x{00e9}`."""
    if "\\u" in pattern:
        return compile_regex(re.sub(_ESCAPE, lambda m: rf"\x{{{m[1]}}}" if m[1] else m[0], pattern), pattern)
    return compile_regex(pattern)
