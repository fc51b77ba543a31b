"""Characters that act on a terminal or hide from a reader, and how they are shown instead."""

import re

UNSAFE = (
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Everything that is not plainly visible and does not only break a line: control characters (escape sequences begin
with one), the marks that turn text around or hide it, and halves of surrogate pairs."""


def made_visible(text: str) -> str:
    """The text with each unsafe character shown as `\\x1b` or `\\u202e`."""
    return text if text.replace("\n", "").isprintable() else re.sub(UNSAFE, _visible, text)


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
