"""A person at a real pseudo-terminal, and the shop they talk to."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.cli.conftest import VIVA, VivaProject

SHOP = """
def shop(messages):
    text = messages[-1]["content"].lower()
    if "pay" in text:
        call = {"name": "charge_card", "args": {"amount": 5}, "result": "ok"}
        return {"content": "Thanks, your order is paid.", "tool_calls": [call]}
    return {"content": "Which product would you like?", "input_hint": "a product name"}
"""


class Screen:
    """The person's side of the terminal."""

    def __init__(self, keyboard: int, process: "subprocess.Popen[bytes]") -> None:
        self._keyboard = keyboard
        self.process = process
        self.shown = ""

    def type(self, line: str) -> None:
        os.write(self._keyboard, line.encode() + b"\n")

    def wait_for(self, text: str, seconds: float = 120) -> None:
        until = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < until, f"{text!r} never came:\n{self.shown}"
            self._read()

    def leave(self) -> int:
        code = self.process.wait(timeout=200)
        self._read()
        return code

    def _read(self) -> None:
        ready, _, _ = select.select([self._keyboard], [], [], 0.1)
        if ready:
            try:
                seen = os.read(self._keyboard, 65536).decode(errors="replace")
            except OSError:
                return
            self.shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)


@contextmanager
def at_a_terminal(project: VivaProject, *arguments: str, **extra: str) -> Iterator[Screen]:
    keyboard, side = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "CI": "", **extra}  # a person sits at it
    process = subprocess.Popen([str(VIVA), *arguments], cwd=project.root, stdin=side, stdout=side, stderr=side, env=env)
    os.close(side)
    try:
        yield Screen(keyboard, process)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)


def with_shop(project: VivaProject) -> VivaProject:
    project.write("shop.py", SHOP)
    project.write("viva.yaml", "agents: {shop: {python: 'shop.py:shop'}}\nagent: shop\n")
    return project
