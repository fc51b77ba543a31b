"""Secrets in recorded bytes of which each event of a stream has only a piece: struck out in place."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import msgspec

Places = Callable[[str], list[tuple[int, int]]]
"""Finds where secrets stand in a text."""
Span = tuple[int, int]
Threads = dict[tuple[str, ...], list[Span]]

_INSIDE = r'(?:[^"\\\n]|\\.)*+'
_ENDS = r'(?:"(?![ \t]*:)|(?=\n)|\Z)'
# Each alternative begins with a quote or a line's end: the search skips all other characters quickly.
_TOKEN = re.compile(
    rf'"(?P<name>\w+)"[ \t]*:[ \t]*(?:"(?P<named>{_INSIDE}){_ENDS}|(?P<number>\d+))'
    rf'|"(?P<nameless>{_INSIDE}){_ENDS}'
    rf'|"{_INSIDE}"?'  # a name without a string or number
    r'|\n(?:data:\x20?(?P<words>[^\s{\["][^\r\n]*))?'  # a new line; one of a stream that is no JSON
)
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}|\\.|[\xc0-\xff][\x80-\xbf]*|."
)
"""What is one character to who reads it, in UTF-8 of which every byte is a character."""
_PLAIN = "data:"
"""Stands for the name of lines that are no JSON."""
_IDENTIFIES = ("id", "Id", "index")
"""How the names of fields end that tell two messages apart which are streamed at the same time."""


def strike_pieces(body: bytes, places: Places) -> bytes:
    """The same bytes with stars for every part of a secret that stands in a string. The length and all else stay.

    Events are not read by a protocol's rules: what stands behind the same name in one event after the other is read
    as one text, for each message apart and for all together.
    """
    text = f"\n{body.decode('latin-1')}"  # latin-1 gives every byte a character of its own
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
    """Strings that may be read one after the other, by their name and by what tells messages apart."""
    threads: Threads = {}
    line, identity = list[tuple[str, Span]](), ""

    def end_line() -> None:
        for name, span in line:
            threads.setdefault((name,), []).append(span)
            if identity:
                threads.setdefault((name, identity), []).append(span)

    for token in _TOKEN.finditer(text):
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
    """Where the parts of secrets stand in these strings."""
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
        if len(offsets) != len(said[at]) + 1:  # a damaged string: everything in it is struck out
            those, offsets = [(0, 1)], spans[at]
        for first, end in those:
            yield offsets[first], offsets[end]


def _offsets(text: str, span: Span) -> Sequence[int]:
    """Where each character of a string begins as it is written: an escape is longer than what it says."""
    lengths = (len(found[0]) for found in _CHARACTER.finditer(text, *span))
    return list(accumulate(lengths, initial=span[0]))


def _read(raw: str, *, is_json: bool) -> str:
    said = raw.encode("latin-1").decode(errors="replace")
    if not is_json or "\\" not in said:
        return said
    try:
        return msgspec.json.decode(f'"{said}"', type=str)
    except msgspec.DecodeError:
        return said
