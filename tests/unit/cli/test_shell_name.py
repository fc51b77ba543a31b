"""A command that viva prints works when it is pasted into the shell viva was started from."""

import sys
from pathlib import Path

import pytest

from vivavoce.cli.shell_name import shell_name


def program(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "viva"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_viva_on_the_path_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = program(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(path.parent))
    assert shell_name(str(path)) == "viva"


def test_a_viva_elsewhere_is_called_by_its_full_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    program(tmp_path / "my venv")
    assert shell_name("my venv/viva") == f"'{tmp_path}/my venv/viva'"


def test_another_viva_on_the_path_is_not_taken_for_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    mine, other = program(tmp_path / "mine"), program(tmp_path / "other")
    monkeypatch.setenv("PATH", str(other.parent))
    assert shell_name(str(mine)) == str(mine)


def test_as_a_module_it_is_called_with_its_python():
    assert shell_name("/x/vivavoce/__main__.py") == f"{sys.executable} -m vivavoce"


def test_inside_another_program_it_is_plain_viva():
    assert shell_name("-c") == "viva"
