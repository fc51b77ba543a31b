"""Removes temporary files and folders that a killed viva process left behind."""

import fcntl
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG

A_MOMENT_S = 60.0
"""Newer files may belong to a process that has not locked them yet."""


def lock_in_use(descriptor: int) -> None:
    """Locks a temporary file or folder while this process uses it, so that no other viva process removes it."""
    with suppress(OSError):  # not every file system has locks; a new file is safe without one
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_left_behind(paths: Iterable[Path], *, older_than_s: float = A_MOMENT_S) -> None:
    """Removes those that are ours, not new, and not used by a living process."""
    for path in paths:
        with suppress(OSError):
            if is_left_behind(path, older_than_s=older_than_s):
                _remove(path)


def _remove(path: Path) -> None:
    if not path.is_dir():
        path.unlink()
        return
    import shutil

    shutil.rmtree(path)


def is_left_behind(path: Path, *, older_than_s: float) -> bool:
    """Whether it is a file or folder of ours, not new, and not used by a living process. Raises OSError."""
    status = path.lstat()
    is_ours = (S_ISREG(status.st_mode) or S_ISDIR(status.st_mode)) and status.st_uid == os.getuid()
    return is_ours and time.time() - status.st_mtime > older_than_s and _is_unused(path)


def _is_unused(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
