"""The terminal: whether there is one, reading without blocking, restoring its settings."""

import asyncio
import os
import pty
import subprocess
import sys

from tests.unit.speakers.seat import seat

PROGRAM = """
import asyncio
from vivavoce.speakers.terminal import terminal_or_none

async def main():
    terminal = terminal_or_none()
    if terminal is None:
        print("nobody")
        return
    terminal.write("ready ")
    try:
        async with asyncio.timeout(0.2):
            await terminal.read_line()
    except TimeoutError:
        terminal.write("gone")

asyncio.run(main())
"""


async def test_lines_come_one_by_one_while_others_work():
    with seat() as person:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        working = asyncio.create_task(tick())
        reading = asyncio.create_task(person.terminal.read_line())
        while ticks <= 10:
            await asyncio.sleep(0.001)
        person.type("eins\nzwei\n")
        assert await reading == "eins"
        assert await person.terminal.read_line() == "zwei"
        working.cancel()


async def test_what_is_typed_before_ctrl_d_is_still_a_line():
    with seat() as person:
        reading = asyncio.create_task(person.terminal.read_line())
        person.type("half\x04")
        await asyncio.sleep(0.02)
        person.type("\x04")
        assert await reading == "half"


async def test_a_closed_window_ends_the_input():
    keyboard, side = pty.openpty()
    from vivavoce.speakers.terminal import Terminal

    reading = asyncio.create_task(Terminal(side, sys.stdout).read_line())
    await asyncio.sleep(0.02)
    os.close(keyboard)
    assert await asyncio.wait_for(reading, 60) is None
    os.close(side)


def test_without_a_terminal_nobody_can_be_asked():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == (b"nobody\n", b"")


def test_a_process_that_stops_waiting_for_input_ends_at_once_and_quietly():
    keyboard, side = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=side, stdout=side, stderr=side)
    os.close(side)
    assert process.wait(timeout=60) == 0
    shown = os.read(keyboard, 65536)
    os.close(keyboard)
    assert shown == b"ready gone"
