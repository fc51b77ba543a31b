"""Puts msgspec's validation messages into plain words."""

import re

_IN_WORDS = {
    "string": "text",
    "str": "text",
    "integer": "a whole number",
    "int": "a whole number",
    "number": "a number",
    "float": "a number",
    "boolean": "true or false",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_BOUNDS = {">=": "{} or more", "<=": "{} or less", ">": "more than {}", "<": "less than {}"}


TOOL_NAME = r"^(?:\*\*\*|[^\s*,\\/^])(?:(?:\*\*\*|[^*,\\\n\r])*(?:\*\*\*|[^\s*,\\]))?(?![\s\S])"
"""A pattern for names of tools in checks, which are neither lists nor patterns.

`***` is allowed: it replaces a secret in a recorded case.
"""
TOOL_NAME_WORDS = "the name of one tool, without blanks before or after it (no list, no pattern)"


def split_validation_error(text: str) -> tuple[str, tuple[str | int, ...]]:
    """Returns msgspec's "… - at `$.a[0].b`" in plain words, and the path."""
    what, _, where = text.partition(" - at `")
    what = plain_words(what)
    steps: list[str | int] = [
        int(index) if index else name for name, index in re.findall(r"\.([^.\[\]`]+)|\[(\d+)\]", where)
    ]
    readable = where.rstrip("`").removeprefix("$").lstrip(".").replace("[...]", "")
    return (f"{readable}: {what}" if readable else what), tuple(steps)


def in_words(type_name: str) -> str:
    """Returns plain words for a type of JSON Schema or msgspec: `a whole number` for `int`."""
    return _IN_WORDS.get(type_name, type_name)


def plain_words(complaint: str) -> str:
    """Returns msgspec's message about one value in plain words; other texts unchanged."""
    if wrong := re.fullmatch(r"Expected `([^`]+)`(?:, got `([^`]+)`| (of length )?([<>]=?) (\S+))", complaint):
        types, found, of_length, sign, limit = wrong.groups()
        named = dict.fromkeys(in_words(name) for name in types.split(" | ") if name != "null")
        wanted = f"wanted {' or '.join(named)}"
        if found is not None:
            return f"{wanted}, found {'a number with a point' if found == 'float' else in_words(found)}"
        if of_length and (sign, limit) == (">=", "1"):
            return f"{wanted} that is not empty"
        return f"{wanted}{' of length' if of_length else ','} {_BOUNDS[sign].format(limit.removesuffix('.0'))}"
    if complaint.endswith(f"matching regex {TOOL_NAME!r}"):
        return f"wanted {TOOL_NAME_WORDS}"
    if lacks := re.fullmatch(r"Object missing required field `([^`]+)`", complaint):
        return f"the field {lacks[1]!r} is missing"
    if strange := re.fullmatch(r"Object contains unknown field `([^`]+)`", complaint):
        return f"unknown field {strange[1]!r}"
    if choice := re.fullmatch(r"Invalid enum value (.+)", complaint):
        return f"{choice[1]} is not one of the allowed values"
    return complaint
