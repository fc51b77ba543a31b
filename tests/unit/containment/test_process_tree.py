"""Whatever a command starts, however far it goes away, ends with it."""

import asyncio
import os
import signal
import sys
from itertools import product
from pathlib import Path

import pytest
from tests.fakes.processes import gone, number_in

from vivavoce.containment.captured_output import OutputLog
from vivavoce.containment.left_running import left_running
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


RESPAWNING = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    open("lives", "w").close()
    for _ in range(20_000):
        os.utime("lives")
        time.sleep(0.02)
        if os.fork():
            os._exit(0)
time.sleep(600)
"""


async def test_a_process_that_starts_itself_anew_all_the_time_ends_too(tmp_path: Path):
    lives = tmp_path / "lives"
    running = asyncio.create_task(run_command([sys.executable, "-c", RESPAWNING], cwd=tmp_path))
    while not lives.exists():
        await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.wait([running])
    ended = lives.stat().st_mtime_ns
    await asyncio.sleep(0.3)
    assert lives.stat().st_mtime_ns == ended


HIDDEN = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    if sys.argv[1] == "elsewhere":
        os.chdir("/")
    sleep = f"import os, time; open({sys.argv[2]!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    os.execve(sys.executable, [sys.executable, "-c", sleep], {})
time.sleep(600)
"""


@pytest.mark.parametrize("where", ["here", "elsewhere"])
async def test_a_daemon_that_threw_its_environment_away_is_named(tmp_path: Path, where: str):
    with OutputLog() as log:
        command = [sys.executable, "-c", HIDDEN, where, str(tmp_path / "pid")]
        running = asyncio.create_task(run_command(command, cwd=tmp_path))
        pid = await number_in(tmp_path / "pid")
        running.cancel()
        await asyncio.wait([running])
    os.kill(pid, signal.SIGKILL)
    assert f"could not end what the command started: {pid} (" in log.text()
    assert "by the looks of it" in log.text()
    assert any(left.startswith(f"{pid} (") for left in left_running())
    assert left_running() == ()


def test_where_nothing_is_left_nothing_is_named():
    assert end_all_of(2**22 + 1, new_mark()) == []


async def test_an_orphan_that_the_runs_own_code_started_is_not_taken_for_the_commands(tmp_path: Path):
    daemon = HIDDEN.replace("{})\n", "{'VIVA_RUN': '1.of-this-run'})\n")
    assert daemon != HIDDEN
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    own = await asyncio.create_subprocess_exec(*command, cwd=tmp_path, start_new_session=True)
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-c", daemon, "here", str(tmp_path / "pid"), cwd=tmp_path
    )
    pid = await number_in(tmp_path / "pid")
    try:
        assert end_all_of(own.pid, new_mark()) == []
    finally:
        os.kill(pid, signal.SIGKILL)
        started.kill()
        await started.wait()
        await own.wait()
