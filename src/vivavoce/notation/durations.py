"""Go-style durations: `500ms`, `30s`, `1.5m`, `2m30s`, `1h`."""

import re
from math import isinf
from typing import Annotated

from msgspec import Meta

WrittenDuration = Annotated[str, Meta(examples=["30s", "2m", "500ms", "1h"])]
"""The type of fields that hold a duration. Its examples are the hint when something else is written there."""

_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PIECE = r"(\d++(?:\.\d*+)?|\.\d++)(ns|us|µs|ms|s|m|h)"
_PIECES = f"(?:{_PIECE})++"


def parse_duration(text: str) -> float:
    """Returns seconds. Raises ValueError with what to write instead."""
    if re.fullmatch(_PIECES, text) is None:
        raise ValueError(f"bad duration {text!r}: write it like 500ms, 30s, 2m30s or 1h")
    seconds = sum(float(number) * _UNITS[unit] for number, unit in re.findall(_PIECE, text))
    if isinf(seconds):
        raise ValueError(f"bad duration {text!r}: it is too long")
    if seconds <= 0:
        raise ValueError(f"bad duration {text!r}: it must be longer than zero")
    return seconds


def format_duration(seconds: float) -> str:
    """Returns a short text: `230ms`, `1.2s`, `30s`, `5m`, `2m30s`, `1h5m`."""
    if seconds < 1:
        # Not `:.0f`, which gives the same text three times slower.
        return f"{round(seconds * 1000)}ms"
    if seconds < 60:
        return f"{seconds:.1f}".removesuffix(".0") + "s"
    if isinf(seconds):
        return "forever"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "m"), (rest, "s")]
    return "".join(f"{amount}{unit}" for amount, unit in parts if amount)


def format_ms(milliseconds: float) -> str:
    """The same for milliseconds."""
    return format_duration(milliseconds / 1000)
