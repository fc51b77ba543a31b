"""Finds names in a case file without decoding its cases: a huge file costs little."""

import mmap
import re
from pathlib import Path

from vivavoce.sources.scanning.special_files import may_never_end


def names_found(file: Path, word: bytes, pattern: re.Pattern[bytes]) -> list[str]:
    """The first group of each match of the pattern, which contains `word`. Empty for a file that cannot be read."""
    if may_never_end(file):
        return []
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data.find(word) < 0:
                return []
            return [found[1].decode(errors="replace") for found in pattern.finditer(data)]
    except (OSError, ValueError):
        # An empty file cannot be mapped. Why a file cannot be read is reported when its cases are read.
        return []
