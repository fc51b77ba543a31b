"""Temporary files that a killed viva left behind: the next one removes them."""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

A_MOMENT_S = 60.0
"""Younger files may belong to a viva that has just made them and not locked them yet."""


def keep_for_me(descriptor: int) -> None:
    """Locks a temporary file while this process uses it, so that no other viva takes it for left behind."""
    with suppress(OSError):  # not every file system knows locks; a young file is safe all the same
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_left_behind(files: Iterable[Path], *, older_than_s: float = A_MOMENT_S) -> None:
    """Removes those of the files that are ours, not new, and used by no living process."""
    for path in files:
        with suppress(OSError):
            if is_left_behind(path, older_than_s=older_than_s):
                path.unlink()


def is_left_behind(path: Path, *, older_than_s: float) -> bool:
    """Whether a file is ours, not new, and used by no living process. Raises OSError when it cannot be looked at."""
    status = path.lstat()
    is_ours = path.is_file() and not path.is_symlink() and status.st_uid == os.getuid()
    return is_ours and time.time() - status.st_mtime > older_than_s and _is_unused(path)


def _is_unused(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True
