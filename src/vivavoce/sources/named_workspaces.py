"""Which folders the cases of a file name as workspaces, found without reading the cases."""

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path

from vivavoce.sources.reading.case_file import may_never_end

_IN_JSON = re.compile(rb'(?<!\\)"workspace"\s*:\s*"([^"\\\n]+)"')
_IN_YAML = re.compile(rb"""^workspace\s*:\s*["']?([^"'#\n]+)""", re.MULTILINE)


def workspaces_named_in(file: Path) -> Iterator[str]:
    """The real paths of the folders that `workspace` may mean in a file. A folder that holds the file is none."""
    if may_never_end(file):
        return
    pattern = _IN_YAML if file.suffix.lower() in (".yaml", ".yml") else _IN_JSON
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data.find(b"workspace") < 0:
                return
            named = {found[1].decode(errors="replace").strip() for found in pattern.finditer(data)}
    except (OSError, ValueError):
        # An empty file cannot be mapped. Why a file cannot be read is reported when it is read.
        return
    for name in sorted(named):
        folder = os.path.realpath(file.parent / name)
        if os.path.isdir(folder) and not os.path.realpath(file).startswith(folder + os.sep):
            yield folder
