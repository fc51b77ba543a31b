"""How long a busy server wants to be left alone: `Retry-After` in seconds or as a date, or in milliseconds."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds from now; None when the server named no time, or none that can be read."""
    if (in_ms := _number(headers.get("retry-after-ms"))) is not None:
        return in_ms / 1000
    written = headers.get("Retry-After")
    if written is None:
        return None
    if (in_s := _number(written)) is not None:
        return in_s
    try:
        date = parsedate_to_datetime(written)
    except (ValueError, OverflowError):
        return None
    # A date without a zone is meant in GMT: HTTP knows no other.
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def _number(text: str | None) -> float | None:
    """A plain, finite number of zero or more."""
    if text is None or not text.strip().replace(".", "", 1).isdecimal():
        return None
    number = float(text)
    return number if isfinite(number) else None
