"""Whatever a command starts, however far it goes away, ends with it."""

import asyncio
import sys
from itertools import product
from pathlib import Path

import pytest
from tests.fakes.processes import gone, number_in

from vivavoce.containment.process_tree import end_all_of, new_mark
from vivavoce.containment.processes import run_command

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux shows a process's mark")

RUNAWAY = """
import os, sys, time
for step in sys.argv[1].split(","):
    if step == "fork" and os.fork():
        os.wait() if sys.argv[2] == "waits" else time.sleep(600) if sys.argv[2] == "stays" else os._exit(0)
    if step == "session":
        try: os.setsid()
        except OSError: pass
    if step == "group":
        try: os.setpgid(0, 0)
        except OSError: pass
    if step == "exec" and not os.environ.get("AGAIN"):
        os.environ["AGAIN"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.argv])
open(f"{sys.argv[3]}.new", "w").write(str(os.getpid()))
os.rename(f"{sys.argv[3]}.new", sys.argv[3])
time.sleep(600)
"""
STEPS = [
    "fork",
    "fork,session",
    "fork,group",
    "fork,session,fork",
    "session,fork",
    "fork,session,fork,group",
    "exec,fork,session",
]


@pytest.mark.parametrize(("steps", "parent"), list(product(STEPS, ["waits", "stays"])))
async def test_nothing_that_a_command_started_outlives_it(tmp_path: Path, steps: str, parent: str):
    script = tmp_path / "runaway.py"
    script.write_text(RUNAWAY)
    running = asyncio.create_task(
        run_command([sys.executable, str(script), steps, parent, str(tmp_path / "pid")], cwd=tmp_path)
    )
    pid = await number_in(tmp_path / "pid")
    running.cancel()
    await asyncio.wait([running])
    assert await gone(pid)


async def test_a_daemon_whose_parents_are_all_gone_is_found_by_its_mark(tmp_path: Path):
    script = tmp_path / "runaway.py"
    script.write_text(RUNAWAY)
    shell = f"'{sys.executable}' '{script}' fork,session,fork leaves '{tmp_path / 'pid'}'; sleep 600"
    running = asyncio.create_task(run_command(["sh", "-c", shell], cwd=tmp_path))
    pid = await number_in(tmp_path / "pid")
    running.cancel()
    await asyncio.wait([running])
    assert await gone(pid)


def test_where_nothing_is_left_nothing_is_named():
    assert end_all_of(2**22 + 1, new_mark()) == []
