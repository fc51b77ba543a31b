"""Finds all data written in a text: as JSON, as JSON inside a JSON text, or as Python prints it. Nothing is dropped."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import islice

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.notation.json_text import json_inside

KEY_IN_QUOTES = r'\\?["\']([\w-]+)\\?["\']\s*:'
"""A key of an object, also where its quotes are escaped."""
_MOST_PRINTED = 50
_LONGEST_PRINTED = 20_000


def data_in_text(text: str) -> Iterator[JsonValue]:
    """Yields every complete object, and array with objects, in a text."""
    try:
        whole: JsonValue = msgspec.json.decode(text)
        keys: list[str] = re.findall(KEY_IN_QUOTES, text)
        if len(keys) > len(set(keys)):
            whole = json.loads(text, object_pairs_hook=_nothing_dropped)
    except (ValueError, RecursionError):
        yield from _in_prose(text)
        if "{'" in text:
            yield from _printed_by_python(text)
        if '{\\"' in text:  # escaped JSON inside other text
            yield from _in_prose(text.replace('\\"', '"'))
    else:
        if is_object(whole) or is_array(whole):
            yield whole
        elif isinstance(whole, str) and len(whole) < len(text):  # JSON that was encoded twice
            yield from data_in_text(whole)


def _in_prose(text: str) -> Iterator[JsonValue]:
    return (found.value for found in json_inside(text, read_pairs=_nothing_dropped))


def _nothing_dropped(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    """Returns the object; with a key written twice, every key has a list of all its values."""
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    every: dict[str, list[JsonValue]] = {key: [] for key in value}
    for key, each in pairs:
        every[key].append(each)
    return every


def _printed_by_python(text: str) -> Iterator[JsonValue]:
    """Yields every dict in a text, as Python prints it."""
    for found in islice(re.finditer(r"\{'", text), _MOST_PRINTED):
        depth = 0
        for at in re.finditer(r"[{}]", text[found.start() : found.start() + _LONGEST_PRINTED]):
            depth += 1 if at[0] == "{" else -1
            if depth == 0:
                try:
                    value: JsonValue = ast.literal_eval(text[found.start() : found.start() + at.end()])
                except (ValueError, SyntaxError, RecursionError, MemoryError):
                    break
                if is_object(value):
                    yield value
                break
