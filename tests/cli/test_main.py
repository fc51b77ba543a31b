"""`viva` and its help: what a newcomer types first."""

import importlib.util
import marshal
import subprocess
import sys

import pytest
from tests.cli.conftest import VivaProject

from vivavoce.cli.help_page import COMMANDS
from vivavoce.version import __version__


def test_viva_alone_shows_its_help_and_is_never_green(project: VivaProject) -> None:
    done = project.viva()
    assert done.code == 2
    assert done.err.startswith("Usage: viva")
    assert "(viva --help shows the flags)" not in done.err


def test_a_group_without_a_command_shows_its_help_and_nothing_else(project: VivaProject) -> None:
    done = project.viva("baseline")
    assert (done.code, done.out) == (2, "")
    assert done.err == project.viva("baseline", "--help").out


def test_help_is_asked_for_as_elsewhere(project: VivaProject) -> None:
    assert project.viva("help").out == project.viva("--help").out
    assert project.viva("help", "init").out == project.viva("init", "--help").out
    unknown = project.viva("help", "inti")
    assert (unknown.code, unknown.err) == (2, "viva: no such command 'inti' (did you mean 'init'?)\n")


def test_the_help_names_every_command_with_its_line(project: VivaProject) -> None:
    made = project.viva("--help", COLUMNS="80").out
    groups = made.partition("Begin:")[2].partition("Examples:")[0]
    listed = [line for line in groups.split("\n") if line.startswith("  ") and line.strip()]
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(len(line.split()) > 2 for line in listed)
    assert project.viva("-h", COLUMNS="80").out == made
    module = subprocess.run([sys.executable, "-m", "vivavoce", "--version"], capture_output=True, text=True)
    assert (module.returncode, module.stdout) == (0, f"viva {__version__}\n")


@pytest.mark.parametrize("command", ["test", "compare", "record"])
def test_many_options_are_listed_by_what_they_are_about(project: VivaProject, command: str) -> None:
    made = project.viva(command, "--help", COLUMNS="80").out
    titles = [line for line in made.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles[-2:] == ["Other options:", "Examples:"] or titles[-1] == "Other options:"
    assert "How often, how many at once, how long, and when to stop:" in titles
    other = made.partition("Other options:")[2].partition("Examples:")[0]
    assert "--help" in other
    assert "SOURCE" not in other
    assert "--runs" not in other
    assert sum(line.startswith("  -j, --parallel") for line in made.splitlines()) == 1


DAMAGED = """
import vivavoce.cli.main as started
started.import_module = lambda name: __import__("broken")
started.main()
"""


@pytest.mark.parametrize("size", [1, 10, 100])
def test_bytecode_that_was_cut_off_is_told_and_no_ctrl_d(project: VivaProject, size: int) -> None:
    """A full disk cuts it: viva ended with 130 and without a word."""
    code = marshal.dumps(compile("x = [1, 2, 3]", "broken.py", "exec"))[:size]
    (project.root / "broken.pyc").write_bytes(importlib.util.MAGIC_NUMBER + b"\0" * 12 + code)
    project.write("run.py", DAMAGED)
    command = [sys.executable, "run.py", "test"]
    done = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "ends too early" in done.stderr
    assert "__pycache__" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [["schema", "config"], ["schema", "case"], ["agents"]])
def test_no_memory_is_freed_twice_at_the_end(project: VivaProject, command: list[str]):
    """msgspec does so when the types of a schema are collected; Python's own checks see it every time."""
    done = project.viva(*command, PYTHONMALLOC="debug")
    assert (done.code, done.err) == (0, "")
