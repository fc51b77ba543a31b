"""Ctrl-C in the first moments: at each import that `viva` makes, one after the other."""

import os
import subprocess
import sys

import pytest
from tests.cli.conftest import VivaProject

# Interrupts itself when the N-th module is looked for after the entry point was found.
INTERRUPTED = """
import os, signal, sys
from vivavoce.cli.entry import main

class Interrupting:
    left = int(sys.argv[1])
    def find_spec(self, name, path=None, target=None):
        Interrupting.left -= 1
        if Interrupting.left == 0:
            os.kill(os.getpid(), signal.SIGINT)

real_main = main
sys.argv = ["viva", *sys.argv[2:]]
from vivavoce.containment.early_interrupt import leave_on_ctrl_c
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
leave_on_ctrl_c()
sys.meta_path.insert(0, Interrupting())
real_main()
"""
LIGHT = {"atexit", "gc", "_signal"}
"""Part of the interpreter: no file is read for them."""
OURS = {
    "vivavoce",
    "vivavoce.version",
    "vivavoce.cli",
    "vivavoce.cli.entry",
    "vivavoce.containment",
    "vivavoce.containment.early_interrupt",
}
AT_EVERY_START = {"os", "os.path", "posixpath", "genericpath", "stat", "_stat", "_collections_abc", "abc", "_abc"}
"""Python itself loads them, but for `-S`."""
MOMENTS = [*range(1, 30, 6), *range(30, 400, 61)]


def interrupted_at(project: VivaProject, moment: int, *args: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(moment), *args],
        cwd=project.root,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        check=False,
    )


@pytest.mark.kill
@pytest.mark.parametrize("part", range(2))
def test_ctrl_c_at_any_import_is_130_without_a_traceback(project: VivaProject, part: int):
    project.cases({"id": "a", "input": "hi"})
    for moment in MOMENTS[part::2]:
        done = interrupted_at(project, moment, "test", "-i", "cases.jsonl", "-o", "out.jsonl")
        said = f"import {moment}: exit {done.returncode}\n{done.stderr}"
        # Beyond the last import nothing interrupts it.
        assert done.returncode in (130, 0), said
        assert "Traceback" not in done.stderr, said
        assert "KeyboardInterrupt" not in done.stderr, said
        if moment < 100:
            assert done.returncode == 130, said


@pytest.mark.kill
@pytest.mark.parametrize("command", [["view", "--nonsense"], ["nonsense"]])
def test_ctrl_c_while_it_is_told_what_is_wrong_is_130_too(project: VivaProject, command: list[str]):
    assert interrupted_at(project, 10_000, *command).returncode == 2
    for moment in range(1, 2_000, 60):
        done = interrupted_at(project, moment, *command)
        assert (done.returncode in (130, 2), "Traceback" in done.stderr) == (True, False), (moment, done.stderr)
        if done.returncode == 2:
            break
    assert moment > 100, moment


def test_nothing_that_takes_long_is_imported_before_ctrl_c_is_handled():
    """Until then Ctrl-C is a traceback. What Python itself loads at its start, and its launcher, is not viva's."""
    code = "import sys; before = set(sys.modules); import vivavoce.cli.entry; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) <= OURS | LIGHT | AT_EVERY_START, done.stdout
