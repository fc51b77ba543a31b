"""The terminal a person sits at: lines in without blocking anyone, text out."""

import asyncio
import os
import sys
from collections.abc import Callable
from typing import TextIO

_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Terminal:
    """Reads whole lines from a terminal and writes to its screen. `floor` is held by the one that uses it."""

    def __init__(self, input_fd: int, screen: TextIO, mask: Callable[[str], str] = str) -> None:
        """`mask` takes the secrets out of what is shown."""
        self.floor = asyncio.Lock()
        self._fd = input_fd
        self._screen = screen
        self._mask = mask
        self._typed = b""
        self._colours = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    async def read_line(self) -> str | None:
        """The next line without its end, or None when the person closed the input (Ctrl-D)."""
        while b"\n" not in self._typed:
            piece = await self._read()
            if not piece:
                rest = self._typed
                self._typed = b""
                return rest.decode(errors="replace") or None
            self._typed += piece
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    def write(self, text: str) -> None:
        # A screen that cannot show a character must not end the conversation.
        encoding = self._screen.encoding or "utf-8"
        self._screen.write(self._mask(text).encode(encoding, errors="replace").decode(encoding))
        self._screen.flush()

    def forget_typed(self) -> None:
        """Drops a half-typed line, so that it does not become part of the next answer."""
        import termios

        self._typed = b""
        termios.tcflush(self._fd, termios.TCIFLUSH)

    def bold(self, text: str) -> str:
        return f"{_BOLD}{text}{_PLAIN}" if self._colours else text

    def dim(self, text: str) -> str:
        return f"{_DIM}{text}{_PLAIN}" if self._colours else text

    async def _read(self) -> bytes:
        loop = asyncio.get_running_loop()
        readable: asyncio.Future[None] = loop.create_future()
        # A reader of the loop, not a thread: a thread inside read() cannot be stopped when the run ends.
        loop.add_reader(self._fd, _resolve, readable)
        try:
            await readable
        finally:
            loop.remove_reader(self._fd)
        try:
            return os.read(self._fd, 65536)
        except OSError:
            # The window was closed.
            return b""


def terminal_or_none(mask: Callable[[str], str] = str) -> Terminal | None:
    """The terminal viva runs in, or None where nobody can be asked (a pipe, CI)."""
    screen = next((stream for stream in (sys.stdout, sys.stderr) if _is_terminal(stream)), None)
    if os.name != "posix" or screen is None or not _is_terminal(sys.stdin):
        return None
    return Terminal(sys.stdin.fileno(), screen, mask)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _resolve(readable: "asyncio.Future[None]") -> None:
    if not readable.done():
        readable.set_result(None)
