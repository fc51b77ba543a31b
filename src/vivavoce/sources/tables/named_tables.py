"""The tables that a case file names, found without reading its cases."""

import os
import re
from functools import lru_cache
from pathlib import Path

from vivavoce.project.files import CASE_FILE_SUFFIXES
from vivavoce.sources.scanning.quick_search import names_found

_EACH = re.compile(
    rb"""["']?\beach["']?\s*+:\s*+(?:\{?\s*+["']?file["']?\s*+:\s*+)?["']?([^"'\s,{}]{1,1000}\.(?:jsonl|ndjson))\b""",
    re.IGNORECASE,
)


def tables_named_in(file: Path) -> list[Path]:
    """The JSONL tables that `each` may mean in a file, beside the file."""
    return [file.parent / name for name in names_found(file, b"each", _EACH)]


def is_table_of_a_neighbour(file: Path) -> bool:
    """Whether a case file of the same folder names it by `each`."""
    return os.path.realpath(file) in _tables_of(file.parent)


@lru_cache(maxsize=64)
def _tables_of(folder: Path) -> frozenset[str]:
    files = [path for path in folder.iterdir() if path.suffix.lower() in CASE_FILE_SUFFIXES]
    return frozenset(os.path.realpath(table) for file in files for table in tables_named_in(file))
