"""A person's seat at a real pseudo-terminal."""

import asyncio
import os
import pty
from collections.abc import Iterator
from contextlib import contextmanager

from vivavoce.speakers.terminal import Terminal


class Seat:
    """The person's end of the line: types, and sees what the screen shows."""

    def __init__(self, terminal: Terminal, keyboard: int) -> None:
        self.terminal = terminal
        self._keyboard = keyboard
        self._screen = b""

    def type(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    async def sees(self, text: str) -> str:
        """Waits until the screen shows `text` after what was seen before; what it showed until then."""
        wanted = text.encode()
        async with asyncio.timeout(60):
            while wanted not in self._screen:
                self._look()
                await asyncio.sleep(0.002)
        shown, _, self._screen = self._screen.partition(wanted)
        return (shown + wanted).decode(errors="replace").replace("\r\n", "\n")

    def _look(self) -> None:
        try:
            self._screen += os.read(self._keyboard, 65536)
        except BlockingIOError:
            return


@contextmanager
def seat() -> Iterator[Seat]:
    keyboard, side = pty.openpty()
    os.set_blocking(keyboard, False)
    with open(side, "w", encoding="utf-8", closefd=False) as screen:
        try:
            yield Seat(Terminal(side, screen), keyboard)
        finally:
            screen.close()
            os.close(side)
            os.close(keyboard)
