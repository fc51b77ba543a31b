"""`viva snapshots`: which options fit together, and what it prints and answers."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from vivavoce.cli.commands.snapshots import command
from vivavoce.errors import EXIT_FAILED, UsageError
from vivavoce.snapshots.places import snap_of
from vivavoce.snapshots.snap_file import SnapFile


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("wrong", [["--delete"], ["--review", "--obsolete"], ["--review", "--json"], ["--run", "last"]])
def test_options_that_do_not_fit_together_are_refused(wrong: list[str]):
    with pytest.raises(UsageError):
        CliRunner().invoke(command, wrong, catch_exceptions=False, standalone_mode=False)


def test_obsolete_ones_are_named_with_the_reason_and_answered_with_1(tmp_path: Path):
    snap = SnapFile(snap_of(tmp_path / "a.jsonl"))
    with snap.locked():
        snap.write({"A": {"output": "x"}})
    done = CliRunner().invoke(command, ["--obsolete"], standalone_mode=False)
    assert done.output == "obsolete  a.jsonl::A: output (the case file is gone)\n1 obsolete snapshot\n"
    assert done.return_value == EXIT_FAILED
