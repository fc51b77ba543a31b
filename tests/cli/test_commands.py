"""A forked `viva` (tests/fakes/commands.py) is the same to everybody as one that was started anew."""

import json
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject
from tests.fakes.commands import VIVA, run_viva

SHOWS_ITS_WORLD = """
import json, os, signal, sys

def agent(messages):
    descriptors = {number: os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}
    return json.dumps({
        "argv": sys.argv,
        "path": sys.path,
        "folder": os.getcwd(),
        "variables": dict(os.environ),
        "main": sys.modules["__main__"].__file__,
        "pipes": sorted(int(n) for n, path in descriptors.items() if "socket:" in path or "pipe:" in path),
        "frameworks": sorted({"pytest", "tests", "langgraph", "ray", "mcp"} & set(sys.modules)),
        "signals": [type(signal.getsignal(n)).__name__ for n in signal.valid_signals()],
        "ignored": [n for n in signal.valid_signals() if signal.getsignal(n) is signal.SIG_IGN],
        "flags": str(sys.flags) + str(sys.warnoptions),
    })
"""
COMMANDS = [
    ["test", "-i", "cases.jsonl", "-o", "out.jsonl", "--no-history"],
    ["validate", "-i", "cases.jsonl"],
    ["list", "-i", "cases.jsonl"],
    ["agents"],
    ["--help"],
    ["tset"],
    ["test", "-i", "nowhere.jsonl"],
]


def started_anew(project: VivaProject, *arguments: str) -> "subprocess.CompletedProcess[str]":
    env = project.environment()
    command = [str(VIVA), *arguments]
    return subprocess.run(command, cwd=project.root, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env)


def forked(project: VivaProject, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return run_viva(arguments, cwd=project.root, env=project.environment())


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_it_prints_the_same_and_exits_the_same(project: VivaProject, arguments: list[str]):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "raise"})
    ways = [way(project, *arguments) for way in (started_anew, forked)]
    seen = [(done.returncode, without_times(done.stdout), done.stderr) for done in ways]
    assert seen[0] == seen[1]


def without_times(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "ms" not in line and "0.0s" not in line)


def test_the_code_under_test_sees_the_same_world(project: VivaProject):
    project.write("agent.py", SHOWS_ITS_WORLD)
    project.write("viva.yaml", "agent: python:agent.py:agent\n")
    project.cases({"id": "a", "input": "hi"})
    worlds = []
    for way in (started_anew, forked):
        way(project, *COMMANDS[0])
        worlds.append(json.loads(project.rows()[1]["output"]))
        assert worlds[-1]["variables"].pop("VIVA_RUN")  # the name of the run: each has its own
    assert worlds[0] == worlds[1]


def test_what_stands_on_standard_input_is_read(project: VivaProject):
    assert project.viva("test", "-i", "-", "-o", "out.jsonl", stdin='{"id": "é", "input": "hi"}').code == 0
    assert project.statuses() == {"é": "passed"}


def test_a_variable_that_the_interpreter_reads_starts_it_anew(project: VivaProject):
    project.write("agent.py", "import sys\n\ndef agent(messages):\n    return str(sys.flags.utf8_mode)\n")
    project.cases({"id": "a", "input": "hi", "assert": {"type": "equals", "value": "1"}})
    assert project.viva("test", "-i", "cases.jsonl", "-n", "python:agent.py:agent", PYTHONUTF8="1").code == 0


def test_a_command_that_takes_too_long_is_killed(project: VivaProject):
    project.cases({"id": "a", "input": "hang"})
    with pytest.raises(subprocess.TimeoutExpired):
        project.viva("test", "-i", "cases.jsonl", timeout=1)
    until(lambda: not working_in(project.root))


def working_in(folder: Path) -> list[str]:
    """Processes with this working folder."""
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink() == folder:
                found.append(process.name)
    return found


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_test_may_change_the_environment_of_its_own_process(project: VivaProject, monkeypatch: pytest.MonkeyPatch):
    project.viva("--version")
    project.write("site/mine.py", "def agent(text):\n    return 'from there'\n")
    project.cases({"id": "a", "input": "hi", "assert": {"type": "equals", "value": "from there"}})
    monkeypatch.setenv("PYTHONPATH", str(project.root / "site"))
    assert project.viva("test", "-i", "cases.jsonl", "-n", "python:mine:agent").code == 0
