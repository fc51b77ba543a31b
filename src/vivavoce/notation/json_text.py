"""Finds JSON in a text: the whole text, in a fence, or inside prose; broken JSON is repaired last."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.model.value_count import has_many_values

_THINKING = r"(?s)<think(?:ing)?>.*?</think(?:ing)?>"
_THINKING_FIRST = r"(?s)\A\s*(?:<think(?:ing)?>.*?</think(?:ing)?>\s*)+"
_ENDS_OF_THINKING = ("</think>", "</thinking>")
# Possessive (`*+`): with backtracking, the time grows with the square or cube of the number of blanks.
_ONE_FENCE = r"(?s)```[ \t]*+(?:json[ \t]*+)?\n(.*)\n?```"
_FENCE = r"(?s)```[ \t]*+([\w+-]*+)[ \t]*+\n?+(.*?)```"
# The time for a repair grows with the square of these numbers: larger texts are not repaired.
_LONGEST_REPAIR = 200_000
_MOST_ESCAPED_QUOTES = 2_000
_LOOKS_LIKE_AN_OBJECT = r"""\{\s*+["']?[\w$ .-]++["']?\s*+:"""
_NOTHING_BUT_OPENING = r"(?:[{\[]\s?){64}"
"""Many opening brackets: not the mistake of a model, and repairing them takes seconds."""
_MOST_TRIES = 200
"""At how many brackets to look for JSON inside prose."""
PairsReader: TypeAlias = Callable[[list[tuple[str, JsonValue]]], JsonObject]
_NOT_DATA = {
    "sql",
    "python",
    "py",
    "bash",
    "sh",
    "js",
    "javascript",
    "ts",
    "typescript",
    "html",
    "css",
    "xml",
}


class FoundJson(Struct, frozen=True):
    value: JsonValue
    repaired: bool = False
    """Whether the JSON was broken and had to be repaired, which a verdict should mention."""
    written: str = ""
    """The part of the text that contained it."""


def json_or_text(text: str) -> JsonValue:
    """Decodes a JSON text. Returns other text unchanged, and also JSON with more values than an answer may have."""
    if has_many_values(text):
        return text
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return text


def repeats_a_key(text: str) -> bool:
    """Whether a JSON text has an object with a key written twice, of which decoders drop one value."""
    import json

    try:
        json.loads(text, object_pairs_hook=_unambiguous)
    except _KeyTwice:
        return True
    except (ValueError, RecursionError):
        pass
    return False


class _KeyTwice(ValueError): ...


def whole_json(text: str) -> JsonValue:
    """Returns the object or array if the whole text is one, perhaps inside a fence; None for other text."""
    found = found_whole(text)
    return None if found is None else found.value


def found_whole(text: str) -> FoundJson | None:
    """The same, with the text that contained it."""
    text = text.strip()
    fenced = re.fullmatch(_ONE_FENCE, text) if text.startswith("```") else None
    if fenced is not None:
        text = "" if "```" in fenced[1] else fenced[1].strip()
    value = _strict(text)
    return None if value is None else FoundJson(value, written=text)


def object_or_text(text: str) -> JsonValue:
    """Decodes a JSON object; returns any other text unchanged."""
    value = json_or_text(text)
    return value if is_object(value) else text


def call_arguments(given: JsonValue) -> JsonValue:
    """Returns the value for ToolCall.args: an object, or the text if it is not one.

    An object with a key written twice stays a text, because decoders disagree about its value. No check matches a text.
    """
    if given is None or is_object(given):
        return given or {}
    text = text_of(given)
    if text.strip() in ("", "null"):
        return {}
    args = object_or_text(text)
    # With as many colons as keys, no key is written twice: most arguments are decoded only once.
    return text if is_object(args) and text.count(":") > len(args) and repeats_a_key(text) else args


def find_json(text: str) -> FoundJson | None:
    """Returns the first JSON object or array in a text, or None. Bare scalars do not count."""
    text = without_thinking(text)
    if (whole := _strict(text)) is not None:
        return FoundJson(whole, written=text)
    fenced = [body.strip() for label, body in re.findall(_FENCE, text) if label.lower() not in _NOT_DATA]
    for body in fenced:
        if (value := _strict(body)) is not None:
            return FoundJson(value, written=body)
    if (inside := next(json_inside(text), None)) is not None:
        return inside
    # Repair comes last: it would turn ordinary prose into "JSON".
    for candidate in (*fenced, _from_first_bracket(text)):
        if candidate and (mended := _repair(candidate)) is not None:
            return FoundJson(mended, repaired=True, written=candidate)
    return None


def whole_object(text: str) -> JsonObject | None:
    """Returns the JSON object if the text contains nothing else, except reasoning before it or a fence around it.

    None for anything else: other text, several objects, a key written twice, broken JSON.
    """
    # Only at the beginning: in the middle, the tags may be quoted inside the object.
    text = re.sub(_THINKING_FIRST, "", text).strip()
    if (fence := re.fullmatch(_ONE_FENCE, text)) is not None and "```" not in fence[1]:
        text = fence[1].strip()
    try:
        value = strict_json(text)
    except ValueError:
        return None
    return value if is_object(value) else None


def strict_json(text: str) -> JsonValue:
    """Decodes a whole text as JSON. Raises ValueError for other text, for NaN and for a key written twice."""
    import json

    try:
        return json.loads(text, object_pairs_hook=_unambiguous, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unambiguous(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _KeyTwice("a key is written twice")
    return value


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON")


def mend_json(text: str) -> JsonValue | None:
    """Repairs a broken text from its first bracket on; None if there is no JSON."""
    return _repair(_from_first_bracket(without_thinking(text)))


def without_thinking(text: str) -> str:
    """Returns the text, trimmed, without the reasoning that some models write into it."""
    # Search only up to the last closing tag: looking for a missing one from every opening tag takes quadratic time.
    end = max((text.rfind(tag) + len(tag) for tag in _ENDS_OF_THINKING if tag in text), default=0)
    return (re.sub(_THINKING, "", text[:end]) + text[end:]).strip()


def _strict(text: str) -> JsonValue | None:
    if not text.startswith(("{", "[")):
        return None
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return None


def json_inside(text: str, *, read_pairs: PairsReader | None = None) -> Iterator[FoundJson]:
    """Yields the complete objects, and arrays with objects, inside other text. `read_pairs` makes objects of pairs."""
    import json

    decoder = json.JSONDecoder(object_pairs_hook=read_pairs)
    at = tries = 0
    while tries < _MOST_TRIES and (bracket := re.compile(r"[{\[]").search(text, at)) is not None:
        tries += 1
        start = bracket.start()
        at = start + 1
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if is_object(value) or (is_array(value) and any(is_object(item) for item in value)):
            at = end
            yield FoundJson(value, written=text[start:end])


def _from_first_bracket(text: str) -> str:
    start = min((at for at in (text.find("{"), text.find("[{")) if at >= 0), default=-1)
    return text[start:] if start >= 0 else ""


def _repair(text: str) -> JsonValue | None:
    if len(text) > _LONGEST_REPAIR or text.count('\\"') > _MOST_ESCAPED_QUOTES:
        return None
    if not re.search(_LOOKS_LIKE_AN_OBJECT, text) or re.search(_NOTHING_BUT_OPENING, text):
        return None
    from json_repair import repair_json

    try:
        value: JsonValue = repair_json(text, return_objects=True)
    except (ValueError, RecursionError, AssertionError):
        # It raises AssertionError for keys that it cannot read.
        return None
    return value if (is_object(value) or is_array(value)) and value else None
