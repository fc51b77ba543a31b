"""Overwrites secrets in recorded streams, also those that are split over several events."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import msgspec

Places = Callable[[str], list[tuple[int, int]]]
"""Finds the positions of secrets in a text."""
Span = tuple[int, int]
Threads = dict[tuple[str, ...], list[Span]]

_INSIDE = r'(?:[^"\\\n]|\\.)*+'
_ENDS = r'(?:"(?![ \t]*:)|(?=\n)|\Z)'
# Each alternative begins with a quote or a line's end: the search skips all other characters quickly.
_TOKEN = (
    rf'"(?P<name>\w+)"[ \t]*:[ \t]*(?:"(?P<named>{_INSIDE}){_ENDS}|(?P<number>\d+))'
    rf'|"(?P<nameless>{_INSIDE}){_ENDS}'
    rf'|"{_INSIDE}"?'  # a name without a string or number
    r'|\n(?:data:\x20?(?P<words>[^\s{\["][^\r\n]*))?'  # a new line, or a line of a stream that is not JSON
)
_CHARACTER = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}|\\.|[\xc0-\xff][\x80-\xbf]*|."
"""One character of a JSON string, in UTF-8 that was decoded as Latin-1."""
_PLAIN = "data:"
"""The name for lines that are not JSON."""
_IDENTIFIES = ("id", "Id", "index")
"""Endings of fields that identify a message, when several are streamed at the same time."""


def strike_pieces(body: bytes, places: Places) -> bytes:
    """Returns the bytes with stars for every part of a secret in a string; nothing else changes.

    Works for every protocol: the values of a field in all events are joined to one text, once per message and once
    for all messages.
    """
    text = f"\n{body.decode('latin-1')}"  # Latin-1 decodes every byte to one character
    threads = _threads(text)
    found = sorted({span for name, spans in threads.items() for span in _secret(text, spans, places, name[0])})
    if not found:
        return body
    kept, at = list[str](), 1
    for start, end in found:
        start = max(start, at)
        kept += [text[at:start], "*" * (end - start)]
        at = max(at, end)
    return "".join((*kept, text[at:])).encode("latin-1")


def _threads(text: str) -> Threads:
    """Returns the strings that may belong together, by the field's name, and by name and message."""
    threads: Threads = {}
    line, identity = list[tuple[str, Span]](), ""

    def end_line() -> None:
        for name, span in line:
            threads.setdefault((name,), []).append(span)
            if identity:
                threads.setdefault((name, identity), []).append(span)

    for token in re.finditer(_TOKEN, text):
        kind = token.lastgroup
        if kind == "named" or kind == "number":
            name = token["name"]
            if name.endswith(_IDENTIFIES):
                identity += token[0]
            if kind == "named":
                line.append((name, token.span(kind)))
        elif kind == "nameless":
            line.append(("", token.span(kind)))
        elif token[0][:1] == "\n":
            end_line()
            line = [] if kind is None else [(_PLAIN, token.span(kind))]
            identity = ""
    end_line()
    return threads


def _secret(text: str, spans: list[Span], places: Places, name: str) -> Iterator[Span]:
    """Yields the positions of all parts of secrets in these strings."""
    said = [text[start:end] for start, end in spans]
    if any("\\" in piece or not piece.isascii() for piece in said):
        said = [_read(piece, is_json=name != _PLAIN) for piece in said]
    found = places("".join(said))
    ends = list(accumulate(map(len, said))) if found else []
    parts: dict[int, list[Span]] = {}
    for start, end in found:
        for at in range(bisect_right(ends, start), bisect_left(ends, end) + 1):
            before = ends[at] - len(said[at])
            parts.setdefault(at, []).append((max(0, start - before), min(end - before, len(said[at]))))
    for at, those in parts.items():
        offsets = _offsets(text, spans[at])
        if len(offsets) != len(said[at]) + 1:  # a damaged string: overwrite all of it
            those, offsets = [(0, 1)], spans[at]
        for first, end in those:
            yield offsets[first], offsets[end]


def _offsets(text: str, span: Span) -> Sequence[int]:
    """Returns the position of each character of a string; an escape takes several bytes."""
    lengths = (len(found[0]) for found in re.finditer(_CHARACTER, text[span[0] : span[1]]))
    return list(accumulate(lengths, initial=span[0]))


def _read(raw: str, *, is_json: bool) -> str:
    said = raw.encode("latin-1").decode(errors="replace")
    if not is_json or "\\" not in said:
        return said
    try:
        return msgspec.json.decode(f'"{said}"', type=str)
    except msgspec.DecodeError:
        return said
