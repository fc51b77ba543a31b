"""msgspec's validation messages, taken apart."""

import re


def split_validation_error(text: str) -> tuple[str, tuple[str | int, ...]]:
    """msgspec's "… - at `$.a[0].b`" as words and a path."""
    what, _, where = text.partition(" - at `")
    steps: list[str | int] = [
        int(index) if index else name for name, index in re.findall(r"\.([^.\[\]`]+)|\[(\d+)\]", where)
    ]
    readable = where.rstrip("`").removeprefix("$").lstrip(".").replace("[...]", "")
    return (f"{readable}: {what}" if readable else what), tuple(steps)
