"""Numbers of things in words: `1 case`, `2,000 cases`; several things in one text."""

from collections.abc import Iterable, Sequence


def counted(number: int, thing: str, things: str | None = None) -> str:
    """The number with its noun; `things` where the plural is not the noun with an s."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def first_few(names: Sequence[str], most: int) -> str:
    """`a, b`, and of more names than `most` their number: `a, b and 3 more`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def joined_reasons(reasons: Iterable[str]) -> str:
    """The reasons in order, the same one only once: `a; b`, or each on its own line where one has several lines."""
    told = list(dict.fromkeys(reasons))
    return ("\n" if any("\n" in reason for reason in told) else "; ").join(told)
