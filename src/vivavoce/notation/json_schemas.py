"""The drafts of JSON Schema with patterns in linear time. Imported where something is validated."""

import re
from functools import cache
from importlib import import_module
from types import FunctionType, SimpleNamespace
from typing import Any

from vivavoce.notation.patterns import compile_regex

_jsonschema: Any = import_module("jsonschema")
_utils: Any = import_module("jsonschema._utils")

_WITH_PATTERNS = ("pattern", "patternProperties", "additionalProperties", "unevaluatedProperties")
_ESCAPE = r"(?s)\\(?:u([0-9A-Fa-f]{4})|.)"

ONLY_GOOD_PATTERNS: Any = _jsonschema.FormatChecker(formats=())
"""For check_schema: `format: regex` means a pattern that we can use."""


@ONLY_GOOD_PATTERNS.checks("regex", raises=ValueError)
def is_pattern(value: object) -> bool:
    return not isinstance(value, str) or _compiled(value) is not None


@cache
def in_linear_time(draft: Any) -> Any:
    """A draft's validator class; under it no pattern of a schema can hang a run. A bad pattern is a ValueError."""
    keywords = {name: _with_our_patterns(draft.VALIDATORS[name]) for name in _WITH_PATTERNS if name in draft.VALIDATORS}
    linear = _jsonschema.validators.extend(draft, keywords)
    evolve_plainly = linear.evolve

    def evolve(self: Any, **changes: Any) -> Any:
        evolved = evolve_plainly(self, **changes)
        if evolved.__class__ is linear:
            return evolved
        # A subschema that names its draft (or a `$ref` to such a root) gets a class of the library again.
        return in_linear_time(evolved.__class__)(
            evolved.schema, registry=evolved._registry, _resolver=evolved._resolver
        )

    linear.evolve = evolve
    return linear


def _with_our_patterns(keyword: Any) -> Any:
    """The library's own function, in a namespace where it and all that it calls find our patterns under `re`."""
    names: dict[str, Any] = {**vars(_utils), **keyword.__globals__, "re": SimpleNamespace(search=_search)}
    for name, value in names.items():
        if isinstance(value, FunctionType) and value.__module__ in (_utils.__name__, keyword.__module__):
            names[name] = FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
    return names[keyword.__name__]


def _search(pattern: str, text: str) -> Any:
    return _compiled(pattern).search(text)


def _compiled(pattern: str) -> Any:
    """Patterns of JSON Schema are JavaScript's, which writes RE2's `\\x{00e9}` as `\\u00e9`."""
    if "\\u" in pattern:
        return compile_regex(re.sub(_ESCAPE, lambda m: rf"\x{{{m[1]}}}" if m[1] else m[0], pattern), pattern)
    return compile_regex(pattern)
