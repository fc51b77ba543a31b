"""Checks headers of the configuration before anything is sent."""

import re
from collections.abc import Mapping

from vivavoce.errors import UsageError

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FRAMING = frozenset(("content-length", "transfer-encoding"))
"""These give the length of a request: with a wrong one, the agent gets a part of it or waits for more."""
_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def refuse_unsendable(headers: Mapping[str, str], owner: str, *, ascii_only: bool = False) -> None:
    """Raises UsageError for a header that HTTP cannot send. Does not quote values, which may be secrets."""
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise UsageError(f"{owner}: {name!r} cannot be the name of a header", hint="use letters, digits and -")
        if name.lower() in _FRAMING:
            raise UsageError(f"{owner}: {name} cannot be set: viva computes it", hint=f"leave {name} out")
        if _CONTROLS.search(value):
            what = f"{owner}: the header {name} has a line break or another control character in it"
            raise UsageError(what, hint="look for a line break at the end of its value")
        if ascii_only and not value.isascii():
            raise UsageError(f"{owner}: the header {name} has a letter in it that is not ASCII")
