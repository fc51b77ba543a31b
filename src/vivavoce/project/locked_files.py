"""Files that people commit and several processes may change at once: none of their changes is lost.

To change one, a process locks its folder, reads the file, and replaces it by a whole new one. A process that is
killed on the way leaves the old file or the new one.
"""

import fcntl
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from vivavoce.errors import VivaError

PATIENCE_S = 30.0
_BETWEEN_TRIES_S = 0.005


@contextmanager
def locked_folder(folder: Path, *, patience_s: float = PATIENCE_S) -> Generator[None]:
    """Keeps other processes of viva from changing files of a folder, which is made where it is missing.

    Raises OSError when it cannot be made, VivaError when another process keeps it for too long.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # The folder itself is locked: a lock file would have to be committed, ignored or removed by somebody.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, folder, patience_s)
        yield
    finally:
        os.close(descriptor)


def change_file(path: Path, change: Callable[[str | None], str | None]) -> None:
    """Replaces a file by what `change` makes of its text; None stands for a file that is not there.

    Nothing is written when the text stays as it is. Raises OSError when the file cannot be read or written.
    """
    with locked_folder(path.parent):
        before = _text_of(path)
        after = change(before)
        if after is None:
            path.unlink(missing_ok=True)
        elif after != before:
            replace_whole(path, after)


def replace_whole(path: Path, text: str) -> None:
    """Puts a new file in the place of `path`, with the mode of the old one. The caller holds the folder's lock."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    # This process holds the lock, so temporary files of others belonged to killed processes.
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        left.unlink(missing_ok=True)
    try:
        with fresh.open("w", encoding="utf-8", newline="\n") as out:
            if path.exists():
                os.fchmod(out.fileno(), path.stat().st_mode & 0o777)
            out.write(text)
        # A link to a file elsewhere stays a link.
        fresh.replace(path.resolve() if path.is_symlink() else path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # nobody knows the name of the fresh one
    finally:
        fresh.unlink(missing_ok=True)


def append_whole(path: Path, content: bytes, opener: Callable[[str, int], int] | None = None) -> None:
    """Adds all of it to the end of a file, or nothing. Raises OSError when the disk is full, with the name of the file.

    The caller sees to it that nobody else writes.
    """
    size = path.stat().st_size if path.exists() else None
    try:
        with open(path, "ab", buffering=0, opener=opener) as out:
            written = out.write(content)
            while written < len(content):
                written += out.write(content[written:])
    except OSError as error:
        if size is None:
            path.unlink(missing_ok=True)
        else:
            os.truncate(path, size)
        raise OSError(error.errno, error.strerror, str(path)) from None


def _text_of(path: Path) -> str | None:
    from vivavoce.project.files import read_text

    return read_text(path) if path.exists() else None


def _lock(descriptor: int, folder: Path, patience_s: float) -> None:
    until = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise VivaError(
                    f"another process has kept {folder} locked for {patience_s:g} seconds",
                    hint="is a viva stopped or stuck there?",
                ) from None
            time.sleep(_BETWEEN_TRIES_S)
        except OSError:
            return  # not every file system knows locks; replacing whole files still leaves no half ones
        else:
            return
