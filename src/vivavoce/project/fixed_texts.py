"""Finds any of thousands of fixed texts in one pass: a secret with odd characters has hundreds of spellings."""

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

_MEMORY = 1 << 32
"""A limit, not a size: a thousand spellings take two megabytes. RE2 gets slow, not wrong, when it is too small."""


class FixedTexts:
    """Where the texts stand in bytes; of several that begin at the same place the first given counts."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        re2: Any = import_module("re2")
        options = re2.Options()
        options.log_errors = False
        options.max_mem = _MEMORY
        options.encoding = re2.Options.Encoding.LATIN1  # bytes are compared, whatever they mean
        self._pattern = re2.compile(b"|".join(map(re.escape, texts)), options=options)

    def are_in(self, data: bytes) -> bool:
        return self._pattern.search(data) is not None

    def replaced(self, data: bytes, instead: Callable[[bytes], bytes]) -> bytes:
        """The data with each of the texts replaced; again while that makes it shorter, as two may overlap."""
        while self.are_in(data):
            kept, at = list[bytes](), 0
            for found in self._pattern.finditer(data):
                kept += [data[at : found.start()], instead(found[0])]
                at = found.end()
            before, data = len(data), b"".join((*kept, data[at:]))
            if len(data) >= before:
                break
        return data
