"""Text for terminals and reports: hostile output made harmless, long output made short, differences made visible."""

import re

import msgspec

from vivavoce.model.json_value import JsonValue, is_array, is_object, rounded, rounding_hides, text_of
from vivavoce.wording.quoting import cut
from vivavoce.wording.unsafe_characters import made_visible

_SPACES = r"\s+"
_BARE_KEY = r"[A-Za-z_$][\w$]*"
LONGEST_DIFF = 20
"""Lines; beyond that nobody reads a difference on a console."""
_DIFFED_CHARACTERS = 20_000
_DEEPEST = 50
"""Levels of a value that are shown: Python's own limit is near 300 for functions that call themselves."""
_QUOTED_CHARACTERS = 2_000


def neutral(text: str, *, keep_newlines: bool = True) -> str:
    """The same text with nothing in it that a terminal would act on: such characters are shown as `\\x1b`."""
    if text.isprintable():
        return text
    shown = made_visible(text.replace("\r\n", "\n").replace("\t", "    "))
    return shown if keep_newlines else shown.replace("\n", "\\n")


def one_line(text: str) -> str:
    """The text without line breaks or runs of space, neutral."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return neutral(re.sub(_SPACES, " ", text).strip())


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """One neutral line of at most `width` columns, with an ellipsis where something was cut off."""
    if width <= 0:
        return ""
    if len(text) <= width and text.isascii() and text.isprintable():
        # Each character is one column, and nothing is to be made harmless: what most texts are.
        return (re.sub(_SPACES, " ", text) if "  " in text else text).strip()
    # Only the beginning can show: never work through megabytes for it.
    beginning = one_line(text[: 8 * width + 64])
    cut_before = len(text) > 8 * width + 64
    if not cut_before and columns(beginning) <= width:
        return beginning
    room = width - len(ellipsis)
    kept = beginning[: max(room, 0)]
    while kept and columns(kept) > room:
        kept = kept[:-1]
    return (kept.rstrip() + ellipsis)[:width] if room >= 0 else ellipsis[:width]


def clip_lines(text: str, limit: int) -> str:
    """The text with its line breaks, neutral. A long one loses its middle, because the end of an error says most."""
    text = text.strip("\n")
    if len(text) > limit:
        text = f"{text[: limit * 2 // 3]}…{text[-limit // 3 :]}"
    return neutral(text)


def clip_middle(text: str, width: int) -> str:
    """The same, cut in the middle: what an error ends with is often the advice."""
    if len(text) <= 8 * width and columns(line := one_line(text)) <= width:
        return line
    end = one_line(text[-width:])
    while columns(end) > width // 3:
        end = end[1:]
    return clip(text, width - columns(end)) + end


def columns(text: str) -> int:
    """How many columns a terminal needs for it."""
    if text.isascii():
        return len(text)
    # Imported here: most texts are plain.
    from wcwidth import wcswidth, wcwidth

    width = wcswidth(text)
    # -1: there is a control character in it, which takes no column.
    return width if width >= 0 else sum(max(wcwidth(char), 0) for char in text)


def quoted(value: JsonValue, *, digits: bool = False, depth: int = 0) -> str:
    """A value in a few words: text in double quotes, JSON as the seeds write it (`{amount: 3500, type: "travel"}`)."""
    if isinstance(value, str):
        return '"' + one_line(cut(value, _QUOTED_CHARACTERS)).replace('"', '\\"') + '"'
    if depth > _DEEPEST and (is_object(value) or is_array(value)):
        return "…"
    if is_object(value):
        inside = [f"{_key(str(key))}: {quoted(inner, digits=digits, depth=depth + 1)}" for key, inner in value.items()]
        return "{" + ", ".join(inside) + "}"
    if is_array(value):
        return "[" + ", ".join([quoted(inner, digits=digits, depth=depth + 1) for inner in value]) + "]"
    if not digits:
        value = rounded(value)
    return text_of(value) if value is not None else "null"


def json_diff(expected: JsonValue, actual: JsonValue) -> list[str]:
    """What was found and not wanted (`- …`), what was wanted and not found (`+ …`), and what both have (`  …`)."""
    if not rounding_hides(actual, expected):
        expected, actual = rounded(expected), rounded(actual)
    left, right = _laid_out(actual), _laid_out(expected)
    if len(left) == len(right) == 1:
        return [f"- {left[0]}", f"+ {right[0]}"]
    # Imported here: only a failure of several lines needs it.
    from difflib import unified_diff

    lines = [
        line[0] + " " + line[1:]
        for line in unified_diff(left, right, n=2, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    left_out = len(lines) - LONGEST_DIFF
    return lines if left_out <= 1 else [*lines[:LONGEST_DIFF], f"  … {left_out} more lines"]


def _laid_out(value: JsonValue) -> list[str]:
    """The value as neutral lines: a short text quoted, a long one by its lines, JSON indented."""
    if isinstance(value, str):
        shown = neutral(cut(value, _DIFFED_CHARACTERS))
        return shown.split("\n") if "\n" in shown else [f'"{shown}"']
    try:
        text = msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=2).decode()
    except (TypeError, UnicodeEncodeError, RecursionError):
        text = repr(value)
    if len(text) <= 60:
        text = re.sub(_SPACES, " ", text)
    return neutral(text[:_DIFFED_CHARACTERS]).split("\n")


def _key(key: str) -> str:
    return key if re.fullmatch(_BARE_KEY, key) else quoted(key)
