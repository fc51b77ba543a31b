"""How values and patterns are shown in a reason: enough to see what happened, never a whole reply."""

from typing import Any

from vivavoce.model.json_value import compact_json
from vivavoce.wording.plurals import counted

SHORT = 200
KEPT = 20_000


def shown(value: Any, limit: int = SHORT) -> str:
    """A value in a few words: text in quotes, the rest as compact JSON, cut when long."""
    if isinstance(value, str):
        return repr(value) if len(value) <= limit else f"{value[:limit]!r}… ({len(value):,} characters)"
    text = compact_json(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def kept(value: Any) -> Any:
    """A value as a verdict stores it: whole, unless it is a text so long that the turn alone should hold it."""
    if isinstance(value, str) and len(value) > KEPT:
        return f"{value[:KEPT]}… ({len(value):,} characters)"
    return value


def around(text: str, start: int, end: int) -> str:
    """A found piece in quotes, with what stands before and after it."""
    end = min(end, start + SHORT)
    margin = max(0, SHORT - (end - start)) // 2
    left, right = max(0, start - margin), min(len(text), end + margin)
    return ("…" if left else "") + repr(text[left:right]) + ("…" if right < len(text) else "")


def slashed(pattern: str) -> str:
    """A regex as people write it: `/order-\\d+/`."""
    return pattern if len(pattern) > 2 and pattern.startswith("/") else f"/{pattern}/"


def times(count: int) -> str:
    return counted(count, "time")
