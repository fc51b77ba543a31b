"""The Python and pytest pages run as they are printed: named fences are files, the others are done in order."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fakes.commands import PYTEST

pytestmark = pytest.mark.process

DOCS = Path(__file__).parents[2] / "docs"
_FENCE = re.compile(r"^```(\w+)(?: +(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def fences(page: str, folder: Path) -> Iterator[tuple[str, str]]:
    """(language, text) of every fence without a name; those with one have been written by then."""
    for language, name, text in _FENCE.findall((DOCS / page).read_text()):
        if name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        else:
            yield language, text


def test_the_python_page_is_one_working_program(tmp_path: Path):
    program = "\n".join(text for language, text in fences("python-api.md", tmp_path) if language == "python")
    assert program.count("vivavoce.run(") >= 5
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    assert "refund passed Refunded." in done.stdout
    assert (tmp_path / "out" / "report.html").is_file()


@pytest.mark.timeout(900)
def test_every_command_of_the_pytest_page_ends_as_it_says(tmp_path: Path):
    tried = 0
    for language, text in fences("pytest.md", tmp_path):
        for command in text.splitlines() if language == "bash" else ():
            arguments, _, outcome = command.partition("#")
            argv = [*PYTEST, "-W", "ignore", *shlex.split(arguments)[1:]]
            done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=200)
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
            assert done.stdout.splitlines()[-1].startswith(f"{outcome.strip()} in "), f"{command}\n{done.stdout}"
            tried += 1
    assert tried == 6


def test_every_public_name_is_in_the_table():
    import vivavoce

    table = (DOCS / "python-api.md").read_text().partition("## The public names")[2]
    assert set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE)))) == set(vivavoce.__all__)
