"""Tool calls where no reader looks: in data, in state, in a text. What looks like one is kept as unread."""

import json
import re
from collections.abc import Iterator

import msgspec

from vivavoce.model.json_value import JsonValue, compact_json, is_array, is_object
from vivavoce.model.message import MayHold, Unread

CALL_KEYS = frozenset(
    {
        *("toolcall", "toolcalls", "toolscalled", "functioncall", "functioncalls", "tooluse", "tooluses"),
        *("toolinvocation", "toolinvocations", "calledtools", "intermediatesteps", "toolexecutions"),
    }
)
"""Keys under which others tell calls, in lower case and without `_` and `-`."""
_NAMES = frozenset({"name", "tool", "toolname", "function", "functionname", "action"})
_ARGUMENTS = frozenset({"args", "arguments", "input", "parameters", "params", "toolinput", "toolargs"}) | {
    "actioninput",
    "kwargs",
}
_PIECE = 160
_MOST_TRIES = 200
_DEEPEST = 40
_LONGEST = 200_000
"""Looking for JSON inside longer texts would take seconds: there only tags and keys are looked for."""
_QUOTED_KEY = re.compile(r'\\?["\'](\w+)\\?["\']\s*:')
_TEXT_MARKS = re.compile(r"<\W*(?:tool_call|function_call|tool_use|function=)", re.IGNORECASE)


def unread(value: JsonValue, where: str, may_hold: MayHold = "both") -> Unread:
    """A piece nobody can read, shortened."""
    text = value if isinstance(value, str) else compact_json(value)
    return Unread(text if len(text) <= _PIECE else f"{text[:_PIECE]}…", where, may_hold)


def plain_key(key: str) -> str:
    """`toolCalls`, `tool-calls` and `tool_calls` are one key."""
    return key.lower().replace("_", "").replace("-", "")


def looks_like_calls(value: JsonValue, depth: int = 0) -> bool:
    """Whether a value, or anything inside it, may be a tool call."""
    if depth > _DEEPEST:
        return True
    if is_object(value):
        keys = {plain_key(key) for key in value if value[key]}
        if keys & CALL_KEYS or (keys & _NAMES and not _ARGUMENTS.isdisjoint(map(plain_key, value))):
            return True
        kind = value.get("type")
        if isinstance(kind, str) and plain_key(kind) in CALL_KEYS:
            return True
        return any(looks_like_calls(inner, depth + 1) for inner in value.values())
    if is_array(value):
        return any(looks_like_calls(inner, depth + 1) for inner in value)
    return isinstance(value, str) and calls_in_text(value, depth + 1)


def calls_in_text(text: str, depth: int = 0) -> bool:
    """Whether a text may tell a call: as JSON, whole or cut off, or in the tags that models write."""
    if marks_of_calls(text):
        return True
    if "{" not in text or len(text) > _LONGEST:
        return False
    return any(looks_like_calls(value, depth + 1) for value in json_inside(text))


def marks_of_calls(text: str) -> bool:
    """Whether a text has the tags or the keys in which models write calls that no server took out."""
    if "<" in text and _TEXT_MARKS.search(text):
        return True
    if "[TOOL_CALLS]" in text:
        return True
    return "{" in text and any(plain_key(key) in CALL_KEYS for key in _QUOTED_KEY.findall(text))


def json_inside(text: str) -> Iterator[JsonValue]:
    """Every JSON object or array of objects that stands whole in a text."""
    try:
        whole: JsonValue = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        yield from _json_in_prose(text)
    else:
        if is_object(whole) or is_array(whole):
            yield whole


def _json_in_prose(text: str) -> Iterator[JsonValue]:
    decoder = json.JSONDecoder()
    at = tries = 0
    while tries < _MOST_TRIES and (found := re.compile(r"[{\[]").search(text, at)) is not None:
        tries += 1
        try:
            value, at = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            at = found.end()
            continue
        if is_object(value) or (is_array(value) and any(is_object(item) for item in value)):
            yield value
