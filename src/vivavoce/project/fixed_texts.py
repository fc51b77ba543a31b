"""Finds any of thousands of fixed texts in one pass: a secret with special characters has hundreds of spellings."""

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

_MEMORY = 1 << 32
"""A limit; a thousand spellings take two megabytes. With too little memory RE2 gets slow, not wrong."""


class FixedTexts:
    """Searches bytes for the texts. If several begin at the same place, the first given one is found."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        re2: Any = import_module("re2")
        options = re2.Options()
        options.log_errors = False
        options.max_mem = _MEMORY
        options.encoding = re2.Options.Encoding.LATIN1  # compare bytes, not characters
        self._pattern = re2.compile(b"|".join(map(re.escape, texts)), options=options)

    def are_in(self, data: bytes) -> bool:
        return self._pattern.search(data) is not None

    def replaced(self, data: bytes, instead: Callable[[bytes], bytes]) -> bytes:
        """Replaces each of the texts. Repeats that while the data gets shorter, because two texts may overlap."""
        while self.are_in(data):
            kept, at = list[bytes](), 0
            for found in self._pattern.finditer(data):
                kept += [data[at : found.start()], instead(found[0])]
                at = found.end()
            before, data = len(data), b"".join((*kept, data[at:]))
            if len(data) >= before:
                break
        return data
