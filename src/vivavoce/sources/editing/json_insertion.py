"""A check added to a case that is written in JSON, with or without comments."""

import json
import re

from msgspec import Struct

from vivavoce.notation.jsonc import strip_comments
from vivavoce.notation.steps import Steps
from vivavoce.sources.editing.added_check import LISTS, AddedCheck, CannotInsert

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(rf"(?s){_STRING}|[{{}}\[\],:]|[^\s{{}}\[\]:,\"]++")

_COLON = re.compile(r"\s*:")


class _Span(Struct):
    start: int
    end: int = 0
    kind: str = ""
    """The first character of the value."""
    last: int = 0
    """Where the last member of an object or list ends; 0 for an empty one."""


def add_to_json(text: str, line: int, added: AddedCheck) -> str:
    """Returns the text with the check in the case that begins on this line. Raises CannotInsert."""
    plain = strip_comments(text)
    start = plain.find("{", _offset_of(plain, line))
    if start < 0:
        raise CannotInsert
    spans = _spans(plain, start)
    around: Steps = () if added.turn is None else ("turns", added.turn - 1)
    owner = spans.get(around)
    if owner is None or owner.kind != "{" or not owner.last:
        raise CannotInsert
    keys = LISTS[added.field]
    for key in keys:
        found = spans.get((*around, key))
        if found is not None and found.kind == "[":
            return _appended(text, found, added.text)
        if found is not None and found.kind == "{":
            return _made_a_list(text, found, added.text)
    free = next((key for key in keys if (*around, key) not in spans), None)
    if free is None:
        raise CannotInsert
    return _appended(text, owner, f'"{free}": [{added.text}]')


def _made_a_list(text: str, span: _Span, member: str) -> str:
    """Turns a single entry into a list with the new one; an empty entry is dropped."""
    one = f"{text[span.start : span.end]}, " if span.last else ""
    return f"{text[: span.start]}[{one}{member}]{text[span.end :]}"


def _appended(text: str, span: _Span, member: str) -> str:
    """Adds a member at the end of an object or list, on its own line if the others are on their own lines."""
    if not span.last:
        return f"{text[: span.start + 1]}{member}{text[span.start + 1 :]}"
    closing = text[span.last : span.end - 1]
    line_start = text.rfind("\n", 0, span.last) + 1
    first = re.match(r"[ \t]*", text[line_start:])
    indent = first[0] if first is not None else ""
    between = f",\n{indent}" if "\n" in closing and line_start > span.start else ", "
    return f"{text[: span.last]}{between}{member}{text[span.last :]}"


def _offset_of(text: str, line: int) -> int:
    offset = 0
    for _ in range(line - 1):
        offset = text.index("\n", offset) + 1
    return offset


def _spans(text: str, start: int) -> dict[Steps, _Span]:
    """The position of each value in the object that begins here, by its path."""
    spans: dict[Steps, _Span] = {}
    open_ones: list[tuple[Steps, _Span]] = []
    step: list[str | int] = []
    key: str | None = None
    for token in _TOKEN.finditer(text, start):
        word = token[0]
        if word in ("}", "]"):
            _, span = open_ones.pop()
            step.pop()
            span.end = token.end()
            if not open_ones:
                return spans
            open_ones[-1][1].last = token.end()
        elif word == ",":
            if open_ones[-1][1].kind == "[":
                step[-1] = int(step[-1]) + 1
        elif word == ":":
            assert key is not None
            step[-1], key = key, None
        elif open_ones and open_ones[-1][1].kind == "{" and word[0] == '"' and _is_key(text, token.end()):
            key = str(json.loads(word, strict=False))
        else:
            path: Steps = tuple(step)
            span = _Span(token.start(), token.end(), word[0])
            spans[path] = span
            if word in ("{", "["):
                open_ones.append((path, span))
                step.append("" if word == "{" else 0)
            elif open_ones:
                open_ones[-1][1].last = token.end()
    raise CannotInsert


def _is_key(text: str, end: int) -> bool:
    return _COLON.match(text, end) is not None
