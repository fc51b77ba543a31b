"""Files of a run: for their owner alone, never over what a person wrote, and nothing left of a killed run."""

import os
import time
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

OUTPUTS = ["r.jsonl", "r.json", "r.md", "r.xml", "r.html", "new/folder/r.jsonl"]


@pytest.fixture
def cases(project: VivaProject) -> VivaProject:
    project.cases({"id": "a", "input": "hi"})
    return project


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_results_history_and_their_folders_are_for_their_owner_alone(cases: VivaProject, mask: int):
    flags = [flag for name in OUTPUTS for flag in ("-o", name)]
    before = os.umask(mask)
    try:
        done = cases.viva("test", "-i", "cases.jsonl", *flags)
    finally:
        os.umask(before)
    assert done.code == 0, done.text
    written = [*(cases.root / name for name in OUTPUTS), *(cases.root / ".viva").iterdir()]
    assert {path.name: oct(mode(path)) for path in written if path.name != ".gitignore" and mode(path) != 0o600} == {}
    folders = [cases.root / ".viva", cases.root / "new", cases.root / "new/folder"]
    assert [oct(mode(folder)) for folder in folders] == ["0o700"] * 3


def test_cases_taken_out_of_a_run_are_for_their_owner_alone(cases: VivaProject):
    assert cases.viva("test", "-i", "cases.jsonl", "-o", "r.jsonl").code == 0
    before = os.umask(0)
    try:
        done = cases.viva("extract", "r.jsonl", "-o", "cases/apart")
    finally:
        os.umask(before)
    assert done.code == 0, done.text
    folder = cases.root / "cases/apart"
    assert [oct(mode(path)) for path in (folder.parent, folder, folder / "a.md")] == ["0o700", "0o700", "0o600"]


@pytest.mark.parametrize("flags", [["--dry-run"], ["-r", "report.summary"], ["-r", "report.markdown"]], ids=" ".join)
@pytest.mark.parametrize("name", ["mine.jsonl", "mine.txt", "mine.md", "mine"])
def test_what_a_person_wrote_is_never_replaced(cases: VivaProject, flags: list[str], name: str):
    if flags == ["--dry-run"] and not name.endswith(".jsonl"):
        pytest.skip("refused for its suffix")
    mine = cases.write(name, '{"id": "mine", "input": "by hand"}\n')
    done = cases.viva("test", "-i", "cases.jsonl", *flags, "-o", name)
    assert done.code == 2, done.text
    assert "would be lost" in done.err
    assert mine.read_text().startswith('{"id": "mine"')


@pytest.mark.parametrize(
    "flags", [["--dry-run", "-o", "x.jsonl"], ["-r", "report.summary", "-o", "x.txt"]], ids=" ".join
)
def test_what_viva_wrote_is_replaced_until_a_person_changes_it(cases: VivaProject, flags: list[str]):
    path = cases.root / flags[-1]
    for _ in range(2):
        done = cases.viva("test", "-i", "cases.jsonl", *flags)
        assert done.code == 0, done.text
    path.write_text(path.read_text() + "{}\n")
    assert cases.viva("test", "-i", "cases.jsonl", *flags).code == 2


def test_what_a_killed_run_left_behind_is_removed_by_the_next(cases: VivaProject):
    left = [".r.html.99999.tmp", ".r.jsonl.resumed.tmp", ".viva/journal-abc.jsonl"]
    cases.viva("test", "-i", "cases.jsonl", "-o", "r.html", "-o", "r.jsonl")
    for name in left:
        old = time.time() - 30 * 24 * 3600
        os.utime(cases.write(name, "left"), (old, old))
    new = cases.write(".r.html.88888.tmp", "of a living run")
    cases.viva("test", "-i", "cases.jsonl", "-o", "r.html", "-o", "r.jsonl")
    assert [name for name in left if (cases.root / name).exists()] == []
    assert new.exists()


@pytest.mark.parametrize(
    "command",
    [
        "test -i cases.jsonl --no-history",
        "compare -n echo -n blocking -i cases.jsonl --no-history",
        "rejudge out.jsonl",
        "merge out.jsonl",
        "report out.jsonl",
        "coverage out.jsonl",
        "mutate out.jsonl",
        "diff out.jsonl out.jsonl",
        "fuzz -i cases.jsonl --variants 1",
    ],
)
def test_no_command_replaces_json_that_viva_did_not_write(cases: VivaProject, command: str):
    assert cases.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--no-history").code == 0
    mine = cases.write("package.json", '{"name": "mine", "before": {}}\n')
    done = cases.viva(*command.split(), "-o", "package.json")
    assert (done.code, "package.json holds no results of viva, and would be lost" in done.err) == (2, True), done.text
    assert mine.read_text() == '{"name": "mine", "before": {}}\n'
    for _ in range(2):  # its own file it replaces
        done = cases.viva(*command.split(), "-o", "own.json")
        assert "would be lost" not in done.err
        assert (cases.root / "own.json").stat().st_size, done.text
