"""A file that grows line by line and is safe against what happens to files: full disks, deletion, two writers.

Lines are handed to the operating system together, within a fiftieth of a second, and not forced onto the disk: a
killed viva loses no more than that; a power cut may cost the lines of the last moments (on Linux up to half a minute).
"""

import errno
import fcntl
import os
from pathlib import Path
from typing import BinaryIO
from weakref import WeakSet

from vivavoce.containment.forked_child import in_forked_children
from vivavoce.project.private_files import FILE_MODE, make_private_folder
from vivavoce.results.debounce import Debounce


class JournalFile:
    """One file, kept for one writer. Whatever goes wrong is an OSError, and leaves whole lines behind."""

    def __init__(self, path: Path) -> None:
        make_private_folder(path.parent)
        self.path = path
        self._whole_path = path.absolute()
        self._file = _opened(path)
        self._size = 0
        self._pending: list[bytes] = []
        self._written_soon = Debounce(self._write_pending, _WRITTEN_WITHIN_S)
        self._problem: OSError | None = None
        """The error that kept waiting lines from being written; raised at the next call."""
        _OPEN.add(self)

    @property
    def waiting(self) -> list[bytes]:
        """The lines that were taken and are not written yet."""
        return self._pending

    def append(self, line: bytes, *, at_once: bool = False) -> None:
        """Takes a line and writes it within a moment.

        When it raises, this line was not taken, all earlier ones were.
        """
        if self._problem is not None:
            raise self._problem
        self._pending.append(line)
        if at_once:
            self._written_soon.forget()
            self._write_pending()
        else:
            self._written_soon.ask()
        if (problem := self._problem) is not None:
            self._pending.pop()
            if not self._pending:
                self._problem = None
            raise problem

    def flush(self) -> None:
        """Writes the waiting lines. When it raises, the lines that are not written stay waiting."""
        self._written_soon.forget()
        self._write_pending()
        if self._problem is not None:
            raise self._problem

    def _write_pending(self) -> None:
        if not self._pending:
            return
        try:
            if os.fstat(self._file.fileno()).st_nlink == 0:
                raise FileNotFoundError(errno.ENOENT, "it was deleted while the run went on")
            try:
                self._write(b"".join(self._pending))
            except OSError:
                # A disk that is nearly full still has room for some of them.
                while len(self._pending) > 1:
                    self._write(self._pending[0])
                    del self._pending[0]
                raise
        except OSError as problem:
            self._problem = problem
        else:
            self._pending.clear()
            self._problem = None

    def _write(self, lines: bytes) -> None:
        try:
            write_all(self._file, lines)
        except OSError:
            self._cut_off_the_rest()
            raise
        self._size += len(lines)

    def rename(self, path: Path) -> None:
        """Renames the file. A file that had the new name is replaced only when this one is safe on disk."""
        self.flush()
        os.fsync(self._file.fileno())
        self._whole_path = self._whole_path.replace(self._whole_path.with_name(path.name))
        self.path = path

    def move(self, path: Path) -> None:
        """Goes on in another file that begins with all lines so far. The old one stays as it is."""
        fresh = JournalFile(path)
        try:
            for begin in range(0, self._size, _PIECE):
                fresh._pending = [os.pread(self._file.fileno(), min(_PIECE, self._size - begin), begin)]
                fresh.flush()
            fresh._pending = self._pending[:]
            fresh.flush()
        except OSError:
            fresh._file.close()
            path.unlink(missing_ok=True)
            raise
        self._file.close()
        self._pending.clear()
        self._problem = None
        self.path, self._whole_path, self._file, self._size = path, fresh._whole_path, fresh._file, fresh._size

    def close(self) -> None:
        if self._file.closed:
            return
        try:
            self.flush()
        finally:
            self._file.close()

    def _cut_off_the_rest(self) -> None:
        try:
            os.ftruncate(self._file.fileno(), self._size)
            os.lseek(self._file.fileno(), self._size, os.SEEK_SET)
        except OSError:
            # A device or a broken disk: readers pass over half a line.
            return

    def let_go(self) -> None:
        """In a forked child, which must neither write to it nor keep it locked once we are gone."""
        self._pending.clear()
        self._file.close()


_OPEN: WeakSet[JournalFile] = WeakSet()
_PIECE = 1 << 20
_WRITTEN_WITHIN_S = 0.02


def write_all(out: BinaryIO, data: bytes) -> None:
    """A raw file may take less than it is given."""
    rest = memoryview(data)
    while rest:
        rest = rest[out.write(rest) :]


def is_being_written(path: Path) -> bool:
    """Whether a living viva writes this file right now."""
    with path.open("rb") as file:
        return not _locked(file)


def _opened(path: Path) -> BinaryIO:
    # Unbuffered: after a failed write nothing is left behind that would fail again on closing. Readable, so that
    # it can be moved even when it has no name any more. Not emptied before it is ours.
    if path.is_fifo():
        return _opened_pipe(path)
    flags = os.O_RDWR if not path.exists() or path.is_file() else os.O_WRONLY
    file = os.fdopen(
        os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, FILE_MODE), "r+b" if flags == os.O_RDWR else "wb", 0
    )
    if not _locked(file):
        file.close()
        raise BlockingIOError(errno.EWOULDBLOCK, "another viva is writing it")
    if path.is_file():
        file.truncate(0)
    return file


def _opened_pipe(path: Path) -> BinaryIO:
    """Raises BrokenPipeError where nobody reads it: to wait for a reader could take for ever."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise BrokenPipeError(errno.EPIPE, "nobody reads this pipe: start its reader first") from None
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "wb", 0)


def _locked(file: BinaryIO) -> bool:
    """Tries to lock the file for this process, until it is closed or the process ends."""
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Not every file system knows locks.
        return True
    return True


@in_forked_children
def _let_go() -> None:
    for file in tuple(_OPEN):
        file.let_go()
