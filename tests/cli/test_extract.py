"""`viva extract`: one file per case, from files and from kept runs."""

import json

import pytest
from tests.cli.conftest import VivaProject


@pytest.fixture
def examined(project: VivaProject) -> VivaProject:
    project.cases(
        {"id": "first/case", "input": "hi"},
        {"id": "first case", "input": "tool"},
        {"id": "third", "input": "raise"},
    )
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    return project


def names(project: VivaProject, folder: str = "review") -> list[str]:
    return sorted(path.name for path in (project.root / folder).iterdir())


@pytest.mark.parametrize("run", ["out.jsonl", "last"])
def test_each_case_has_its_file(examined: VivaProject, run: str):
    done = examined.viva("extract", run, "-o", "review")
    assert (done.code, done.out) == (0, "3 cases written to review\n")
    assert names(examined) == ["first-case-2.md", "first-case.md", "third.md"]
    assert "echo: hi" in (examined.root / "review" / "first-case.md").read_text()
    assert "charge\\_card" in (examined.root / "review" / "first-case-2.md").read_text()
    assert "boom" in (examined.root / "review" / "third.md").read_text()


def test_json_files_are_the_rows(examined: VivaProject):
    examined.viva("extract", "out.jsonl", "-o", "review", "--format", "json")
    assert names(examined) == ["first-case-2.json", "first-case.json", "third.json"]
    row = json.loads((examined.root / "review" / "third.json").read_text())
    assert row == next(row for row in examined.rows() if row.get("id") == "third")


def test_only_the_wanted_cases_under_the_names_they_always_have(examined: VivaProject):
    done = examined.viva("extract", "out.jsonl", "-o", "review", "--id", "first case", "--id", "cases.jsonl::third")
    assert done.out == "2 cases written to review\n"
    assert names(examined) == ["first-case-2.md", "third.md"]


def test_a_half_written_file_gives_what_it_has(examined: VivaProject):
    lines = (examined.root / "out.jsonl").read_text().splitlines(keepends=True)
    examined.write("cut.jsonl", "".join(lines[:2]) + lines[2][:30])
    done = examined.viva("extract", "cut.jsonl", "-o", "review")
    assert (done.code, done.out) == (0, "1 case written to review\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone.jsonl", "-o", "review"), "no such result file"),
        (("cases.jsonl", "-o", "review"), "not a result file"),
        (("out.jsonl", "-o", "review", "--id", "thirt"), "no case 'thirt' in out.jsonl (did you mean 'third'?)"),
        (("out.jsonl",), "-o"),
    ],
)
def test_what_is_wrong_is_said_and_exit_2(examined: VivaProject, arguments: tuple[str, ...], said: str):
    done = examined.viva("extract", *arguments)
    assert done.code == 2
    assert said in done.err


def test_a_folder_that_cannot_be_written_is_exit_3(examined: VivaProject):
    done = examined.viva("extract", "out.jsonl", "-o", "cases.jsonl")
    assert (done.code, "cannot write to cases.jsonl" in done.err) == (3, True)


@pytest.mark.parametrize("form", ["md", "json"])
def test_a_file_that_it_did_not_write_is_not_replaced(examined: VivaProject, form: str):
    for _ in range(2):  # its own files it replaces
        assert examined.viva("extract", "out.jsonl", "-o", "review", "--format", form).code == 0
    mine = examined.write(f"review/third.{form}", "# My notes - the third case\n")
    done = examined.viva("extract", "out.jsonl", "-o", "review", "--format", form)
    assert (done.code, f"third.{form} was not written by viva extract" in done.err) == (2, True), done.text
    assert mine.read_text() == "# My notes - the third case\n"
