"""Numbers of things in words: `1 case`, `2,000 cases`."""


def counted(number: int, thing: str, things: str | None = None) -> str:
    """The number with its noun; `things` where the plural is not the noun with an s."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""
