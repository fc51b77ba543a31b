"""Numbers of things in words: `1 case`, `2,000 cases`; several things in one text."""

from collections.abc import Iterable


def counted(number: int, thing: str, things: str | None = None) -> str:
    """The number with its noun; `things` where the plural is not the noun with an s."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def joined_reasons(reasons: Iterable[str]) -> str:
    """The reasons in order, the same one only once: `a; b`, or each on its own line where one has several lines."""
    told = list(dict.fromkeys(reasons))
    return ("\n" if any("\n" in reason for reason in told) else "; ").join(told)
