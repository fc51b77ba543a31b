"""Single keys at the terminal, without Enter."""

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def listening_to_keys(on_key: Callable[[str], None]) -> Generator[bool]:
    """Calls `on_key` with each key while inside; yields False where nobody sits at a terminal."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        yield False
        return
    import asyncio
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    loop = asyncio.get_running_loop()

    def read() -> None:
        typed = os.read(terminal, 64)
        if not typed:
            loop.remove_reader(terminal)
        for key in typed.decode(errors="ignore"):
            on_key(key)

    tty.setcbreak(terminal)
    loop.add_reader(terminal, read)
    try:
        yield True
    finally:
        loop.remove_reader(terminal)
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
