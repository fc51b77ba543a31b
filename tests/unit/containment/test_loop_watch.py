"""User code that blocks the event loop is interrupted; Ctrl-C stops the run in between."""

import subprocess
import sys
from pathlib import Path

import pytest

FRAME = """
import asyncio, os, signal, sys, time
from vivavoce.containment.loop_watch import LoopBlocked, LoopWatch
sys.path.insert(0, {folder!r})
import user

async def main():
    with LoopWatch(0.5, stop={stop}):
        try:
            user.work()
        except LoopBlocked as blocked:
            print("interrupted:", blocked)
        except asyncio.CancelledError:
            print("cancelled")

asyncio.run(main())
"""


def told(folder: Path, user: str, stop: str = "None") -> str:
    (folder / "user.py").write_text(user)
    code = FRAME.format(folder=str(folder), stop=stop)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("work", ["time.sleep(100)", "while True: pass"])
def test_code_that_does_not_give_way_is_interrupted(tmp_path: Path, work: str):
    said = told(tmp_path, f"import time\ndef work():\n    {work}\n")
    assert said == "interrupted: the agent blocked the event loop: use await, or a plain def\n"


def test_ctrl_c_is_heard_inside_it(tmp_path: Path):
    user = "import os, signal, time\ndef work():\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(100)\n"
    assert "cancelled" in told(tmp_path, user, stop="lambda: print('stop')")


def test_signals_are_whose_they_were_afterwards(tmp_path: Path):
    user = "import signal\nbefore = signal.getsignal(signal.SIGINT)\ndef work():\n    pass\n"
    code = FRAME.format(folder=str(tmp_path), stop="print") + "print(signal.getsignal(signal.SIGINT) is user.before)\n"
    (tmp_path / "user.py").write_text(user)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "True\n", done.stderr
