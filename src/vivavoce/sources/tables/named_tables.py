"""Which tables a case file names, found without reading its cases."""

import mmap
import re
from collections.abc import Iterator
from pathlib import Path

from vivavoce.sources.reading.case_file import may_never_end

_EACH = re.compile(
    rb"""["']?\beach["']?\s*:\s*(?:\{?\s*["']?file["']?\s*:\s*)?["']?([^"'\s,{}]+\.(?:jsonl|ndjson))\b""", re.IGNORECASE
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
        # An empty file cannot be mapped; whoever reads a file says why it cannot be read.
        return
