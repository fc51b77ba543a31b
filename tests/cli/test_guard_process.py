"""Whatever ends the process of a run: the exit code is never the code under test's to give."""

import os
import signal
import time
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

AGENT = """
import asyncio, ctypes, os, posix, sys

async def reply(text: str):
    if text == "posix._exit":
        posix._exit(0)
    if text == "_exit of C":
        ctypes.CDLL(None)._exit(0)
    if text == "execv":
        os.execv(sys.executable, [sys.executable, "-c", "pass"])
    if text == "crash":
        ctypes.string_at(0)
    if text == "kill":
        os.kill(os.getpid(), 9)
    if text == "replaces sys.exit":
        sys.exit = lambda code=0: posix._exit(0)
    if text == "wait":
        open("started", "w").write(str(os.getpid()))
        await asyncio.sleep(600)
    return "fine"
"""


@pytest.fixture
def ending(project: VivaProject) -> VivaProject:
    project.write("ending.py", AGENT)
    project.write("viva.yaml", "agents:\n  ending: {python: ending.py:reply}\nagent: ending\n")
    return project


@pytest.mark.parametrize("way", ["posix._exit", "_exit of C", "execv", "crash", "kill"])
def test_a_run_that_did_not_sign_off_is_broken_and_says_what_was_kept(ending: VivaProject, way: str):
    ending.cases({"id": "one", "input": "hello there"}, {"id": "two", "input": way})
    done = ending.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 3
    assert "the run is not complete" in done.err
    assert "go on with --resume 'out.jsonl'" in done.err


def test_a_replaced_sys_exit_changes_nothing(ending: VivaProject):
    ending.cases(
        {"id": "one", "input": "replaces sys.exit"},
        {"id": "two", "input": "hello there", "assert": {"type": "contains", "value": "nothing like it"}},
    )
    assert ending.viva("test", "-i", "cases.jsonl").code == 1


def test_a_module_that_exits_while_it_is_imported_is_not_in_order(ending: VivaProject):
    ending.write("ending.py", "import posix\nposix._exit(0)\n")
    ending.cases({"id": "one", "input": "hello there"})
    assert ending.viva("validate", "-i", "cases.jsonl").code == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_parent_reaches_the_run(ending: VivaProject, number: signal.Signals):
    ending.cases({"id": "one", "input": "hello there"}, {"id": "two", "input": "wait"})
    running = ending.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    _started(ending.root / "started")
    running.send_signal(number)
    _, err = running.communicate(timeout=200)
    assert running.returncode == 130, err
    assert ending.statuses()["one"] == "passed"


def test_a_killed_parent_takes_the_run_with_it(ending: VivaProject):
    ending.cases({"id": "one", "input": "wait"})
    running = ending.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    child = _started(ending.root / "started")
    assert child != running.pid
    running.kill()
    running.communicate(timeout=200)
    while _is_running(child):
        time.sleep(0.01)  # the test's own time limit ends an endless wait


def _started(file: Path) -> int:
    """The process the agent runs in, once it says so."""
    while not (file.exists() and file.read_text()):
        time.sleep(0.01)
    return int(file.read_text())


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (OSError, IndexError):
        return False
