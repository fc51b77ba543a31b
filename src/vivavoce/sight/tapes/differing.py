"""Describes the first difference of two JSON values."""

from itertools import zip_longest

from vivavoce.model.json_value import JsonValue, compact_json, is_array, is_object, json_equal
from vivavoce.wording.quoting import shorten

_SHOWN = 100
_BEFORE = 20


def first_difference(was: JsonValue, now: JsonValue) -> str:
    """`at $.x: recorded "a", now "b"`."""
    where, old, new = _first(was, now, "")
    at = f"{where.lstrip('.')}: " if where else ""
    if isinstance(old, str) and isinstance(new, str):
        start = max(0, _common(old, new) - _BEFORE)
        old, new = ("…" if start else "") + old[start:], ("…" if start else "") + new[start:]
    return f"{at}recorded {_shown(old)}, now {_shown(new)}"


def _first(was: JsonValue, now: JsonValue, where: str) -> tuple[str, JsonValue, JsonValue]:
    if is_object(was) and is_object(now):
        for key in [*was, *(key for key in now if key not in was)]:
            if not json_equal(was.get(key), now.get(key)):
                return _first(was.get(key), now.get(key), f"{where}.{key}")
    if is_array(was) and is_array(now):
        for at, (old, new) in enumerate(zip_longest(was, now)):
            if not json_equal(old, new):
                return _first(old, new, f"{where}[{at}]")
    return where, was, now


def _common(old: str, new: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))


def _shown(value: JsonValue) -> str:
    return "nothing" if value is None else shorten(compact_json(value), _SHOWN)
