"""Finds texts that give two values for one key. Reading only the first would take a value that was merely quoted."""

import json
import re
from typing import Any

from vivavoce.model.json_value import JsonArray, JsonValue, is_array, json_equal
from vivavoce.notation.json_text import without_thinking

_MOST_TRIES = 200
_OPENING = re.compile(r"[{\[]")
_TRUTH = {"true": True, "false": False}
_VALUE = r"""["']?(true|false|-?\d+(?:\.\d+)?)\b(?!\s*(?:[|/]|or\b))"""
"""A value in a broken object. `true|false` and `true or false` only explain the format."""

Claims = list[tuple[str, JsonValue]]


def contradicts_itself(text: str, *keys: str) -> bool:
    """Whether objects in the text have different values for a key (in any of its spellings), or one has it twice."""
    said: JsonArray = []
    objects, words = _taken_apart(without_thinking(text))
    for pairs in objects:
        claimed = [pair for pair in pairs if pair[0] in keys]
        if len({key for key, _ in claimed}) < len(claimed):
            return True
        said += [value for _, value in claimed]
    said += _in_broken_objects(words, keys)
    return any(not json_equal(value, said[0]) for value in said)


def _taken_apart(text: str) -> tuple[list[Claims], str]:
    """Returns the outermost complete objects as pairs, and the text around them."""
    # Pairs show a key that is written twice; a dict would silently keep the last value.
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=str)
    objects: list[Claims] = []
    words: list[str] = []
    end = tries = 0
    while tries < _MOST_TRIES and (opening := _OPENING.search(text, end)):
        tries += 1
        words.append(text[end : opening.start()])
        try:
            value, end = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            end = opening.end()
            words.append(opening[0])
            continue
        objects += [item for item in (value if _is_plain_array(value) else [value]) if isinstance(item, _Pairs)]
    return objects, "".join([*words, text[end:]])


def _in_broken_objects(words: str, keys: tuple[str, ...]) -> JsonArray:
    names = "|".join(map(re.escape, keys))
    pattern = rf"""(?i)(?:["'](?:{names})["']|[{{,]\s*(?:{names}))\s*:\s*{_VALUE}"""
    return [_TRUTH[said] if (said := found.lower()) in _TRUTH else float(said) for found in re.findall(pattern, words)]


def _is_plain_array(value: Any) -> bool:
    return is_array(value) and not isinstance(value, _Pairs)


class _Pairs(list[tuple[str, JsonValue]]):
    """An object as pairs of key and value."""
