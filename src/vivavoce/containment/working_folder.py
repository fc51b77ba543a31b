"""The folder viva works in: user code may leave it, viva does not follow."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

_kept: list[Path] = []


def here() -> Path:
    """Where a person called viva; relative paths are meant from there, wherever user code has gone meanwhile."""
    return _kept[-1] if _kept else Path.cwd()


def path_from_here(path: Path) -> str:
    """A path as a person would write it where viva was called."""
    return os.path.relpath(here() / path, here())


@contextmanager
def kept_working_folder() -> Generator[None]:
    """Around user code: afterwards the working folder is the one it was before."""
    folder = Path.cwd()
    _kept.append(folder)
    try:
        yield
    finally:
        _kept.remove(folder)
        with suppress(OSError):  # user code may have deleted it
            os.chdir(folder)
