"""The folders that the cases of a file name as workspaces, found without reading the cases."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from vivavoce.sources.scanning.quick_search import names_found

_IN_JSON = re.compile(rb'(?<!\\)"workspace"\s*:\s*"([^"\\\n]+)"')
_IN_YAML = re.compile(rb"""^workspace\s*:\s*["']?([^"'#\n]+)""", re.MULTILINE)


def workspaces_named_in(file: Path) -> Iterator[str]:
    """The real paths of the folders that `workspace` may mean in a file, without folders that contain the file."""
    pattern = _IN_YAML if file.suffix.lower() in (".yaml", ".yml") else _IN_JSON
    for name in sorted({name.strip() for name in names_found(file, b"workspace", pattern)}):
        folder = os.path.realpath(file.parent / name)
        if os.path.isdir(folder) and not os.path.realpath(file).startswith(folder + os.sep):
            yield folder
