"""Masks secrets that were shortened: `hunter-tw…` shows nearly the whole secret."""

import re
from collections.abc import Iterator, Sequence

from vivavoce.containment.written_secrets import MASK, SHORTEST_SECRET

_CUT = r"(?:…|\.\.\.)"
"""The mark that viva and most programs write where they cut a text."""
_QUOTES = r"[\ufffd'\"`\\ ]{0,3}"
_CUT_BEHIND = _QUOTES + _CUT
_CUT_BEFORE = f"{_CUT}{_QUOTES}$"
_BETWEEN_CUTS = f"(?<=…)({_QUOTES})([^…]{{{SHORTEST_SECRET},}}?)(?={_QUOTES}…)"
_REACH = 6
"""Characters of a cut mark and the quotes next to it."""
LONG = 150
"""Only of secrets longer than this can the middle alone be left between two cuts."""


def edges_of(form: str) -> tuple[str, str]:
    """Returns the shortest beginning and end of a secret that are masked next to a cut."""
    return form[:SHORTEST_SECRET], form[-SHORTEST_SECRET:]


def has_cut(line: bytes) -> bool:
    """Whether anything was cut in a line of JSON."""
    return b"\xe2\x80\xa6" in line or b"..." in line


def is_cut(text: str) -> bool:
    return "…" in text or "..." in text


def parts_near_cuts(text: str, reach: int) -> Iterator[tuple[str, bool]]:
    """Splits the text into parts, each with whether a cut is within `reach` characters, the length of a secret."""
    reach += _REACH
    start = end = done = 0
    for cut in re.finditer(_CUT, text):
        if cut.start() - reach > end:
            yield text[done:start], False
            yield text[start:end], True
            done, start = end, cut.start() - reach
        end = cut.end() + reach
    yield text[done:start], False
    yield text[start:end], True
    yield text[end:], False


def without_cut_secrets(text: str, forms: Sequence[str]) -> str:
    """Masks the beginning of a secret before a cut, its end after a cut, and its middle between two cuts."""
    if not is_cut(text):
        return text
    for form in forms:
        first, last = edges_of(form)
        if first in text:
            text = _masked(text, _beginnings(form, first, text))
        if last in text:
            text = _masked(text, _ends(form, last, text))
    long = [form for form in forms if len(form) > LONG]
    if long:
        text = re.sub(_BETWEEN_CUTS, lambda part: _middle(part, long), text)
    return text


def _beginnings(form: str, first: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(first)
    while at >= 0:
        end = at + _in_common(form, text[at : at + len(form)])
        if re.match(_CUT_BEHIND, text[end : end + _REACH]):
            yield at, end
        at = text.find(first, end)


def _ends(form: str, last: str, text: str) -> Iterator[tuple[int, int]]:
    backwards = form[::-1]
    at = text.find(last)
    while at >= 0:
        end = at + len(last)
        start = end - _in_common(backwards, text[max(0, end - len(form)) : end][::-1])
        if re.search(_CUT_BEFORE, text[max(0, start - _REACH) : start]):
            yield start, end
        at = text.find(last, end)


def _in_common(one: str, other: str) -> int:
    """Returns the length of the common prefix."""
    return next((at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), len(other))


def _middle(part: "re.Match[str]", forms: Sequence[str]) -> str:
    return f"{part[1]}{MASK}" if any(part[2] in form for form in forms) else part[0]


def _masked(text: str, spans: Iterator[tuple[int, int]]) -> str:
    kept, at = list[str](), 0
    for start, end in spans:
        if start >= at:
            kept += [text[at:start], MASK]
            at = end
    return "".join((*kept, text[at:])) if kept else text
