"""Writes files whole or not at all: nobody ever reads half of one, not even after `kill -9`."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import TextIO

from vivavoce.project.left_behind import lock_in_use, remove_left_behind
from vivavoce.project.private_files import opener_like

UNFINISHED = ".*.tmp"
"""The names of files that are not whole yet."""


@contextmanager
def whole_file(path: Path) -> Generator[TextIO]:
    """A new file for its owner alone; one that is replaced keeps its mode. Raises OSError with the name of the file."""
    remove_left_behind(path.parent.glob(f".{escape(path.name)}.[0-9]*.tmp"))
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(fresh, "w", encoding="utf-8", newline="\n", opener=opener_like(path)) as out:
            lock_in_use(out.fileno())
            yield out
        fresh.replace(path)
    except OSError as error:
        # The error names the temporary file, which nobody knows, or no file at all when the disk is full.
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        fresh.unlink(missing_ok=True)


def write_whole(content: str | bytes, path: Path) -> None:
    """The same for what is known at once."""
    with whole_file(path) as out:
        out.buffer.write(content.encode("utf-8") if isinstance(content, str) else content)
