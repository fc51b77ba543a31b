"""Which tables a case file names, found without reading its cases."""

import mmap
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from vivavoce.project.files import CASE_FILE_SUFFIXES
from vivavoce.sources.reading.case_file import may_never_end

_EACH = re.compile(
    rb"""["']?\beach["']?\s*+:\s*+(?:\{?\s*+["']?file["']?\s*+:\s*+)?["']?([^"'\s,{}]{1,1000}\.(?:jsonl|ndjson))\b""",
    re.IGNORECASE,
)


def tables_named_in(file: Path) -> Iterator[Path]:
    """The JSONL tables that may be meant by `each` in a file, beside it. Looks at bytes: a huge file costs little."""
    if may_never_end(file):
        return
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data.find(b"each") < 0:
                return
            for found in _EACH.finditer(data):
                yield file.parent / found[1].decode(errors="replace")
    except (OSError, ValueError):
        # An empty file cannot be mapped. Why a file cannot be read is reported when it is read.
        return


def is_table_of_a_neighbour(file: Path) -> bool:
    """Whether a case file of the same folder names it by `each`."""
    return os.path.realpath(file) in _tables_of(file.parent)


@lru_cache(maxsize=64)
def _tables_of(folder: Path) -> frozenset[str]:
    files = [path for path in folder.iterdir() if path.suffix.lower() in CASE_FILE_SUFFIXES]
    return frozenset(os.path.realpath(table) for file in files for table in tables_named_in(file))
