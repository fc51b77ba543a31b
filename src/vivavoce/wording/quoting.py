"""How values and texts are quoted in messages and reasons: enough to see what happened, never a whole reply."""

from vivavoce.model.json_value import JsonValue, compact_json, rounded, rounding_hides
from vivavoce.wording.plurals import counted

SHORT = 200
KEPT = 20_000


def cut(text: str, limit: int) -> str:
    """The text itself, or its first `limit` characters and an ellipsis."""
    return text if len(text) <= limit else f"{text[:limit]}…"


def shorten(text: str, limit: int) -> str:
    """The text itself, or its first `limit` characters with a note on how long it was."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def shorten_middle(text: str, limit: int) -> str:
    """The text itself, or its beginning and its end: `limit` characters in all."""
    return text if len(text) <= limit else f"{text[: limit // 2]}…{text[-limit // 2 :]}"


def quote(value: JsonValue, limit: int = SHORT, *, digits: bool = False) -> str:
    """A value in a few words: text in quotes, the rest as compact JSON, cut when long.

    Numbers are rounded to 12 digits, unless all `digits` are wanted.
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= limit else f"{value[:limit]!r}… ({len(value):,} characters)"
    return shorten(compact_json(value if digits else rounded(value)), limit)


def quote_apart(found: JsonValue, wanted: JsonValue) -> tuple[str, str]:
    """Both values in a few words, with all digits where rounding would hide how they differ."""
    digits = rounding_hides(found, wanted)
    return quote(found, digits=digits), quote(wanted, digits=digits)


def quote_bytes(data: bytes, limit: int = SHORT) -> str:
    """What a server sent, as one line of text without line breaks; cut when long."""
    # A character has at most four bytes: never decode megabytes to show one line.
    text = " ".join(data[: 4 * limit].decode("utf-8", "replace").split())
    cut = len(text) > limit or len(data) > 4 * limit
    return f"{text[:limit]}…" if cut else text


def kept(value: JsonValue) -> JsonValue:
    """A value as a verdict stores it: whole, unless it is a very long text, which the turn holds anyway."""
    return shorten(value, KEPT) if isinstance(value, str) else value


def around(text: str, start: int, end: int) -> str:
    """A piece found in the text, in quotes, with what stands before and after it."""
    end = min(end, start + SHORT)
    margin = max(0, SHORT - (end - start)) // 2
    left, right = max(0, start - margin), min(len(text), end + margin)
    return ("…" if left else "") + repr(text[left:right]) + ("…" if right < len(text) else "")


def slashed(pattern: str) -> str:
    """A regex as people write it: `/order-\\d+/`."""
    return pattern if len(pattern) > 2 and pattern.startswith("/") else f"/{pattern}/"


def times(count: int) -> str:
    """`1 time`, `2 times`."""
    return counted(count, "time")
