"""Whole files of other tools become cases that viva reads, and every check is accounted for."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.imports.found import ImportOptions
from vivavoce.imports.importing import Account, import_files
from vivavoce.imports.known import KINDS
from vivavoce.model.case import Case
from vivavoce.sources.reading.jsonl import JsonlSource

DATA = Path(__file__).parents[2] / "data" / "imports"


def imported(tmp_path: Path, kind: str | None, *files: Path, partial: bool = False, **options: Any) -> list[Account]:
    return import_files(kind, files, ImportOptions(folder=tmp_path / "out", **options), partial=partial)


def cases_of(path: Path | None) -> dict[str, Case]:
    assert path is not None
    cases = list(JsonlSource(path, path.name).read())
    assert all(isinstance(case, Case) for case in cases), cases
    return {case.id: case for case in cases if isinstance(case, Case)}


def test_a_test_of_which_a_check_is_missing_is_skipped_unless_told_otherwise(tmp_path: Path):
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text("prompts: [Hi]\ntests:\n  - assert: [{type: bleu, value: x}, {type: contains, value: y}]\n")
    (account,) = imported(tmp_path, None, config)
    (case,) = cases_of(account.target).values()
    assert case.skip == "import: bleu: has no counterpart in viva; a script can check it"
    assert (account.checks("exact"), account.checks("left_out"), account.is_whole) == (1, 1, False)
    (account,) = imported(tmp_path, None, config, partial=True)
    (case,) = cases_of(account.target).values()
    assert case.skip is None


def test_importing_again_replaces_and_keeps_the_ids(tmp_path: Path):
    file = DATA / "promptfoo" / "promptfooconfig.yaml"
    first = cases_of(imported(tmp_path, None, file)[0].target)
    again = cases_of(imported(tmp_path, None, file)[0].target)
    assert list(first) == list(again)


def test_a_file_that_no_import_wrote_is_left_alone(tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "evals.jsonl").write_text('{"id": "mine", "input": "x"}\n')
    with pytest.raises(UsageError, match="was not written by an import"):
        imported(tmp_path, "skills", DATA / "agent-skills" / "evals.json")


def test_files_of_the_same_name_do_not_overwrite_each_other(tmp_path: Path):
    accounts = imported(tmp_path, "table", DATA / "table" / "cases.csv", DATA / "table" / "cases.jsonl")
    assert len({account.target for account in accounts}) == 2


@pytest.mark.parametrize(
    ("name", "kind"), [("evals.json", "skills"), ("promptfooconfig.yaml", "promptfoo"), ("questions.csv", "table")]
)
def test_the_kind_is_told_by_the_name(name: str, kind: str, tmp_path: Path):
    from vivavoce.imports.known import kind_of

    assert kind_of(tmp_path / name) is KINDS[kind]


def test_a_name_that_tells_nothing_is_an_error(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(UsageError, match="nobody can tell which tool"):
        imported(tmp_path, None, tmp_path / "notes.txt")


def test_a_misspelt_kind_is_hinted_at(tmp_path: Path):
    with pytest.raises(UsageError, match="did you mean 'promptfoo'"):
        imported(tmp_path, None, Path("promptfo"), DATA / "promptfoo" / "promptfooconfig.yaml")


def test_a_dollar_brace_of_a_foreign_text_is_no_variable(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("question,must_contain\nWhat is ${x}?,${y}\n")
    (case,) = cases_of(imported(tmp_path, None, table)[0].target).values()
    assert case.first_input == "What is $${x}?"


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", "[1]", '{"evals": 5}', "\x00", "a,b\n1,2,3\n"])
def test_a_broken_file_is_an_error_with_its_name_and_never_a_traceback(kind: str, text: str, tmp_path: Path):
    file = tmp_path / f"broken{'.csv' if kind == 'table' else '.json'}"
    file.write_text(text)
    problems: list[str] = []
    try:
        accounts = imported(tmp_path, kind, file)
        problems += [str(refused.at) for account in accounts for refused in account.refused]
        assert not any(account.cases for account in accounts)
    except UsageError as error:
        problems.append(str(error))
    assert any("broken" in problem for problem in problems)


def test_skills_become_questions_for_a_judge(tmp_path: Path):
    (account,) = imported(tmp_path, None, DATA / "agent-skills" / "evals.json")
    cases = cases_of(account.target)
    assert list(cases) == ["shop-refunds-1", "asks-first"]
    asks = [spec.fields["value"] for spec in cases["shop-refunds-1"].assertions]
    assert asks == ["A note with the amount and the order", "refund.md exists", "The amount in the note is 30 EUR"]
    assert cases["shop-refunds-1"].tags == ("shop-refunds",)
    assert account.checks("exact") == 6


def test_a_table_is_read_by_the_usual_names_of_its_columns(tmp_path: Path):
    (account,) = imported(tmp_path, None, DATA / "table" / "cases.jsonl")
    cases = cases_of(account.target)
    assert [spec.type for spec in cases["q1"].assertions] == ["agent", "contains", "contains", "tool_called"]
    assert [spec.type for spec in cases["q2"].assertions] == ["agent", "not_contains", "tool_called", "forbid"]
    assert cases["q1"].tags == ("orders",)
    assert cases["q1"].metadata["notes"] == "easy"
    (note,) = account.notes
    assert note.what.startswith("columns: id: id, input: question, judge: reference_answer + rubric")
    assert note.what.endswith("metadata: notes")


def test_columns_may_be_named(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("frage,antwort,werkzeuge\nWo ist A-17?,Bezahlt.,find_order|refund\n")
    columns = {"input": ("frage",), "equals": ("antwort",), "tools": ("werkzeuge",)}
    (case,) = cases_of(imported(tmp_path, "table", table, columns=columns, delimiter="|")[0].target).values()
    assert [spec.type for spec in case.assertions] == ["equals", "tool_called", "tool_called"]


@pytest.mark.parametrize(
    ("columns", "problem"), [({}, "no column is known"), ({"input": ("fragen",)}, "no column 'fragen'")]
)
def test_a_table_without_a_question_is_an_error_that_lists_the_columns(
    columns: dict[str, tuple[str, ...]], problem: str, tmp_path: Path
):
    table = tmp_path / "t.csv"
    table.write_text("frage,antwort\nWo?,Da.\n")
    with pytest.raises(UsageError, match=problem) as refused:
        imported(tmp_path, "table", table, columns=columns)
    assert "frage" in str(refused.value)
