"""The process in which synchronous scripts run: one call after the other, its output, its end."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.fakes.processes import gone, number_in

from vivavoce.containment.captured_output import OutputLog
from vivavoce.errors import CallFailed
from vivavoce.project.project import Project
from vivavoce.scripts.script_process import ScriptProcess
from vivavoce.scripts.script_wire import ScriptRequest

SCRIPT = """
import os, sys, time

def pid():
    return os.getpid()

def prints(text):
    print(text, end="")
    print("to stderr", file=sys.stderr)
    return len(text)

def raises():
    raise ValueError("no water")

def dies():
    print("last words", flush=True)
    os._exit(7)
"""
HANGS = """
import subprocess, time

def main():
    child = subprocess.Popen(["sleep", "600"])
    open("pid", "w").write(str(child.pid))
    time.sleep(600)
"""


@pytest.fixture
async def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ScriptProcess]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "x.py").write_text(SCRIPT)
    started = await ScriptProcess.start(Project(root=tmp_path))
    await started.ready()
    yield started
    await started.end()


async def asked(process: ScriptProcess, name: str, *args: object) -> tuple[object, str, str]:
    """The script's value, what it printed, what it raised."""
    with OutputLog() as log:
        reply = await process.call(ScriptRequest(ref=f"scripts:x.{name}", args=list(args), ctx={}), log)
    return reply.value, log.text(), reply.what


async def test_it_answers_again_and_again(process: ScriptProcess):
    first, second = await asked(process, "pid"), await asked(process, "pid")
    assert first == second
    assert (first[0] != os.getpid(), process.alive) == (True, True)


async def test_everything_a_script_printed_is_there_with_its_answer(process: ScriptProcess):
    value, printed, _ = await asked(process, "prints", "gruß " * 5_000)
    assert value == 25_000
    assert printed.count("gruß ") == 5_000
    assert "to stderr" in printed


async def test_what_a_script_raises_does_not_end_the_process(process: ScriptProcess):
    _, _, error = await asked(process, "raises")
    assert "no water" in error
    assert (await asked(process, "pid"))[0]


async def test_a_script_that_ends_its_process_is_told_with_the_exit_code(process: ScriptProcess):
    with OutputLog() as log, pytest.raises(CallFailed, match=r"'scripts:x\.dies' ended its process \(exit code 7\)"):
        await process.call(ScriptRequest(ref="scripts:x.dies", args=[], ctx={}), log)
    assert ("last words" in log.text(), process.alive) == (True, False)


async def test_a_process_that_was_killed_in_between_is_told_by_the_next_call(process: ScriptProcess):
    pid = (await asked(process, "pid"))[0]
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGKILL)
    with OutputLog() as log, pytest.raises(CallFailed, match="killed by SIGKILL"):
        await process.call(ScriptRequest(ref="scripts:x.pid", args=[], ctx={}), log)


async def test_closed_it_exits_by_itself(process: ScriptProcess):
    pid = (await asked(process, "pid"))[0]
    assert isinstance(pid, int)
    await process.close()
    assert await gone(pid)


async def test_ended_it_takes_everything_it_started_along(process: ScriptProcess, tmp_path: Path):
    (tmp_path / "scripts" / "hangs.py").write_text(HANGS)
    with OutputLog() as log:
        call = asyncio.create_task(process.call(ScriptRequest(ref="scripts:hangs", args=[], ctx={}), log))
        child = await number_in(tmp_path / "pid")
        await process.end()
        with pytest.raises(CallFailed):
            await call
    assert await gone(child)
