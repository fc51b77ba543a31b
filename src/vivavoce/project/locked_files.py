"""Changes files that several processes may change at once, without losing a change.

A process locks the folder, reads the file, and replaces it with a complete new file. A process that is killed
meanwhile leaves the old file or the new one.
"""

import fcntl
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from vivavoce.errors import VivaError

PATIENCE_S = 30.0
_BETWEEN_TRIES_S = 0.005


@contextmanager
def locked_folder(folder: Path, *, patience_s: float = PATIENCE_S) -> Generator[None]:
    """Locks a folder against other viva processes; creates it if it is missing.

    Raises OSError if it cannot be created, VivaError if another process holds the lock for too long.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # Locks the folder itself: a lock file would have to be ignored or removed by somebody.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, folder, patience_s)
        yield
    finally:
        os.close(descriptor)


def change_file(path: Path, change: Callable[[str | None], str | None]) -> None:
    """Replaces the text of a file with `change(text)`; None means that the file does not exist.

    Writes nothing if the text stays the same. Raises OSError if the file cannot be read or written.
    """
    with locked_folder(path.parent):
        _remove_unfinished(path)
        before = _text_of(path)
        after = change(before)
        if after is None:
            path.unlink(missing_ok=True)
        elif after != before:
            replace_whole(path, after)


def replace_whole(path: Path, text: str) -> None:
    """Replaces `path` with a new file that has the old one's mode. The caller holds the folder's lock."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    _remove_unfinished(path)
    try:
        with fresh.open("w", encoding="utf-8", newline="\n") as out:
            if path.exists():
                os.fchmod(out.fileno(), path.stat().st_mode & 0o777)
            out.write(text)
        # A link to a file elsewhere stays a link.
        fresh.replace(path.resolve() if path.is_symlink() else path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # the name of the temporary file says nothing
    finally:
        fresh.unlink(missing_ok=True)


def append_whole(path: Path, content: bytes, opener: Callable[[str, int], int] | None = None) -> None:
    """Appends all of the content to a file, or nothing. Raises OSError with the file's name, if the disk is full.

    The caller must make sure that nobody else writes the file.
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


def _remove_unfinished(path: Path) -> None:
    """The caller holds the lock, so temporary files of others belonged to killed processes."""
    for left in path.parent.glob(f".{escape(path.name)}.[0-9]*.tmp"):
        left.unlink(missing_ok=True)


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
            return  # not every file system has locks; whole files are replaced, so none is ever incomplete
        else:
            return
