"""What user code prints goes to the case it was printed for, never into viva's own output."""

import io
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from types import TracebackType
from typing import Any, TextIO

from vivavoce.containment.forked_child import in_forked_children
from vivavoce.containment.safe_stream import without_secrets

KEPT_AT_EACH_END = 32 * 1024


class OutputLog:
    """Keeps what is printed inside `with log:`, of a long text its beginning and its end. Threads may write at once."""

    __slots__ = ("_printed", "_token")

    def __init__(self) -> None:
        self._printed: _BothEnds | None = None
        """Made when the first text is printed: most code prints nothing, and every case has two logs."""

    def __enter__(self) -> "OutputLog":
        self._token = _current.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _current.reset(self._token)
        # When an error ends it, the text belongs to the outer log too.
        if kind is not None and (outer := _current.get()) is not None:
            outer.write(self.text())

    def write(self, text: str) -> int:
        if text:
            with _lock:
                if self._printed is None:
                    self._printed = _BothEnds()
                self._printed.add(text)
        return len(text)

    def text(self) -> str:
        if self._printed is None:
            return ""
        with _lock:
            return self._printed.text()


_lock = Lock()
"""One lock for all logs: it is held only while a text is added."""


@in_forked_children
def _free_the_lock() -> None:
    """Makes a new lock in a forked child: a thread that held the old one does not exist there."""
    global _lock
    _lock = Lock()


class _BothEnds:
    """The beginning and the end of a text that may be long."""

    __slots__ = ("_dropped", "_head", "_tail", "_tail_size")

    def __init__(self) -> None:
        self._head = ""
        self._tail: list[str] = []
        self._tail_size = 0
        self._dropped = 0

    def add(self, text: str) -> None:
        room = KEPT_AT_EACH_END - len(self._head)
        if room > 0:
            self._head += text[:room]
        if len(text) > room:
            rest = text[max(0, room) :]
            self._tail.append(rest)
            self._tail_size += len(rest)
            if self._tail_size > 4 * KEPT_AT_EACH_END:
                self._drop_from_tail()

    def text(self) -> str:
        tail = self._drop_from_tail()
        note = f"\n… {self._dropped} characters left out …\n" if self._dropped else ""
        return f"{self._head}{note}{tail}"

    def _drop_from_tail(self) -> str:
        """The end that is kept; joined only now and then, so that a million lines stay cheap."""
        tail = "".join(self._tail)
        kept = tail[-KEPT_AT_EACH_END:]
        self._dropped += len(tail) - len(kept)
        self._tail, self._tail_size = [kept], len(kept)
        return kept


_current: ContextVar[OutputLog | None] = ContextVar("viva_output_log", default=None)


def current_log() -> OutputLog | None:
    """The log of the case this code serves, if it serves one."""
    return _current.get()


@contextmanager
def capture_user_output() -> Generator[None]:
    """Puts the routing streams in place for a run: without them an OutputLog sees nothing."""
    stdout, stderr = sys.stdout, sys.stderr
    if isinstance(stdout, RoutedStream):
        yield
        return
    sys.stdout, sys.stderr = RoutedStream(stdout), RoutedStream(stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = stdout, stderr


@contextmanager
def printing_to_stderr() -> Generator[None]:
    """Keeps stdout clean of what user code prints inside; it is shown on stderr at the end."""
    printed = ""
    try:
        with capture_user_output(), OutputLog() as log:
            try:
                yield
            finally:
                printed = log.text()
    finally:
        sys.stderr.write(printed)


class RoutedStream(io.TextIOBase):
    """A standard stream that writes to the current log, or through when there is none."""

    def __init__(self, real: TextIO) -> None:
        self._real = real
        self._bytes = _RoutedBytes(real)

    def write(self, text: str, /) -> int:
        log = _current.get()
        if log is not None:
            return log.write(text)
        # A thread or task that outlived its case: viva's own console has the real stream.
        self._real.write(without_secrets(text))
        return len(text)

    def flush(self) -> None:
        if not self._real.closed:
            self._real.flush()

    def close(self) -> None:
        """User code may close "its" stdout; viva's stays open."""

    def reconfigure(self, **_wishes: Any) -> None:
        """Accepts reconfigure() of user code and ignores it: viva's stream stays as it is, and a log takes every
        character."""

    def detach(self) -> Any:
        return self._bytes

    @property
    def buffer(self) -> Any:
        return self._bytes

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] - a plain attribute there
        return self._real.encoding

    @property
    def errors(self) -> str | None:  # pyright: ignore[reportIncompatibleVariableOverride] - a plain attribute there
        return self._real.errors

    @property
    def name(self) -> str:
        return self._real.name

    @property
    def line_buffering(self) -> int:
        return self._real.line_buffering

    def isatty(self) -> bool:
        return _current.get() is None and self._real.isatty()

    def fileno(self) -> int:
        return self._real.fileno()

    def writable(self) -> bool:
        return True


class _RoutedBytes(io.RawIOBase):
    """The same for those who write bytes to `sys.stdout.buffer`."""

    def __init__(self, real: TextIO) -> None:
        self._real = real

    def write(self, data: Any, /) -> int:
        log = _current.get()
        text = bytes(data).decode(errors="replace")
        if log is None:
            self._real.write(without_secrets(text))
        else:
            log.write(text)
        return len(data)

    def flush(self) -> None:
        self._real.flush()

    def close(self) -> None: ...

    def fileno(self) -> int:
        return self._real.fileno()

    def writable(self) -> bool:
        return True
