"""Removes temporary files that a killed viva process left behind."""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

A_MOMENT_S = 60.0
"""Newer files may belong to a process that has not locked them yet."""


def lock_in_use(descriptor: int) -> None:
    """Locks a temporary file while this process uses it, so that no other viva process removes it."""
    with suppress(OSError):  # not every file system has locks; a new file is safe without one
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_left_behind(files: Iterable[Path], *, older_than_s: float = A_MOMENT_S) -> None:
    """Removes those files that are ours, not new, and not used by a living process."""
    for path in files:
        with suppress(OSError):
            if is_left_behind(path, older_than_s=older_than_s):
                path.unlink()


def is_left_behind(path: Path, *, older_than_s: float) -> bool:
    """Whether a file is ours, not new, and not used by a living process. Raises OSError if that cannot be checked."""
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
