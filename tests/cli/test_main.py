"""`viva` and its help: what a newcomer types first."""

import subprocess
import sys

from tests.cli.conftest import VivaProject

from vivavoce.cli.main import COMMANDS
from vivavoce.version import __version__


def test_viva_alone_shows_its_help_and_is_never_green(project: VivaProject) -> None:
    done = project.viva()
    assert done.code == 2
    assert done.err.startswith("Usage: viva")
    assert "(viva --help shows the flags)" not in done.err


def test_the_help_names_every_command_with_its_line(project: VivaProject) -> None:
    made = project.viva("--help", COLUMNS="80").out
    groups = made.partition("Begin:")[2].partition("Examples:")[0]
    listed = [line for line in groups.split("\n") if line.startswith("  ") and line.strip()]
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(len(line.split()) > 2 for line in listed)
    assert project.viva("-h", COLUMNS="80").out == made
    module = subprocess.run([sys.executable, "-m", "vivavoce", "--version"], capture_output=True, text=True)
    assert (module.returncode, module.stdout) == (0, f"viva {__version__}\n")
