"""JSON paths: our own fast code for plain dot paths, RFC 9535 for everything else."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from itertools import islice
from typing import Any

from msgspec import Struct

from vivavoce.model.json_value import JsonArray, JsonValue, is_array, is_object
from vivavoce.notation.steps import Step

IGNORED = "<ignored>"
"""Replaces a removed item of an array, so that the other items keep their positions."""
MOST_FOUND = 100_000
"""The most values that a path may find: `$..a..a..a` finds the same ones again and again."""

_NAME = r"[^.\[\]*?'\"()\s,:]+"
_ROOTED = rf"\$(?:\.{_NAME}|\[-?\d+\])*"
_UNROOTED = rf"\.*(?:{_NAME}|\[-?\d+\])(?:\.+{_NAME}|\.*\[-?\d+\])*\.*"
_STEP = rf"({_NAME})|\[(-?\d+)\]"


class CompiledPath(Struct, frozen=True):
    """A path that can be followed in any document."""

    text: str
    steps: tuple[Step, ...] | None
    """The steps of a plain path; None if it needs RFC 9535."""
    query: JsonValue = None
    leads_to_one: bool = True
    """Whether at most one value can be found."""

    def find(self, document: JsonValue) -> JsonArray:
        """Returns every value the path leads to, in order. Raises ValueError for too many."""
        if self.steps is not None:
            return follow(self.steps, document)
        found = [match.obj for match in islice(self.query.finditer(document), MOST_FOUND + 1)]
        if len(found) > MOST_FOUND:
            raise ValueError(f"{self.text} leads to more than {MOST_FOUND:,} values, the limit for a JSON path")
        return found

    def without(self, document: JsonValue) -> JsonValue:
        """Returns a copy of the document without the values of the path; items of arrays become `<ignored>`."""
        if self.steps is not None:
            return _without(document, self.steps)
        found = [tuple(match.parts) for match in islice(self.query.finditer(document), MOST_FOUND)]
        for steps in found:
            document = _without(document, steps)
        return document

    def has_place_in(self, document: JsonValue) -> bool:
        """Whether the place that the path names exists. For `$.steps[?…]`: whether `$.steps` exists."""
        if self.steps is not None:
            return bool(self.find(document))
        place = _before_the_choice(self.query)
        return next(iter(place.finditer(document)), None) is not None


@lru_cache(maxsize=4096)
def compile_path(path: str) -> CompiledPath:
    """Raises ValueError for a malformed path."""
    steps = plain_steps(path)
    if steps is not None:
        return CompiledPath(path, steps)
    if not path.strip():
        raise ValueError("an empty JSON path: write `$` for the whole value")
    rooted = path if path.startswith("$") else f"${path}" if path.startswith("[") else f"$.{path}"
    jsonpath: Any = import_module("jsonpath")
    try:
        query = _rfc_9535().compile(rooted)
    except jsonpath.JSONPathError as error:
        raise ValueError(f"bad JSON path {path!r}: {str(error).splitlines()[0]}") from None
    except ValueError as error:
        raise ValueError(f"bad JSON path {path!r}: {error}") from None
    return CompiledPath(path, None, query, bool(query.singular_query()))


@lru_cache(maxsize=4096)
def plain_steps(path: str) -> tuple[Step, ...] | None:
    """Returns the steps of `$.a.b`, `a.b` or `a[0]`, without empty segments; None for other paths."""
    # After `$`, `..` means any depth (RFC 9535); without `$` it is only an empty segment.
    if re.fullmatch(_ROOTED, path):
        body = path[1:]
    elif re.fullmatch(_UNROOTED, path) and not path.startswith(("$.", "$[")):
        body = path
    else:
        return None
    return tuple(int(index) if index else name for name, index in re.findall(_STEP, body))


def follow(steps: Sequence[Step], document: JsonValue) -> JsonArray:
    """Returns a list with the value at the end of the steps, or an empty one. `items.0` also finds an array's item."""
    node = document
    for step in steps:
        if is_object(node):
            if not isinstance(step, str) or step not in node:
                return []
            node = node[step]
        elif is_array(node):
            at = int(step) if isinstance(step, int) or step.isdecimal() else len(node)
            if not -len(node) <= at < len(node):
                return []
            node = node[at]
        else:
            return []
    return [node]


def _without(document: JsonValue, steps: Sequence[Step]) -> JsonValue:
    if not steps:
        return IGNORED
    step, rest = steps[0], steps[1:]
    if is_object(document) and isinstance(step, str) and step in document:
        if not rest:
            return {key: inner for key, inner in document.items() if key != step}
        return {**document, step: _without(document[step], rest)}
    if is_array(document) and follow((step,), document):
        at = int(step) % len(document)
        return [_without(inner, rest) if place == at else inner for place, inner in enumerate(document)]
    return document


def _before_the_choice(query: Any) -> Any:
    """Returns the query without the filters, wildcards and slices at its end."""
    selectors: Any = import_module("jsonpath.selectors")
    named = (selectors.NameSelector, selectors.IndexSelector)
    segments = list(query.segments)
    while segments and not any(isinstance(selector, named) for selector in segments[-1].selectors):
        segments.pop()
    return type(query)(env=query.env, segments=segments)


@cache
def _rfc_9535() -> JsonValue:
    from vivavoce.notation.rfc_9535 import Rfc9535

    return Rfc9535()
