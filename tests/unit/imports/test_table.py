"""People's own tables."""

from pathlib import Path

import pytest
from tests.unit.imports.example_files import DATA, case_in, cases_of, found_in, imported, left_out

from vivavoce.errors import UsageError
from vivavoce.imports.found import Note


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


@pytest.mark.parametrize(
    ("field", "tools"),
    [
        ("find|refund", ["find", "refund"]),
        ('"find, refund"', ["find", "refund"]),
        ('"[""find"", {""name"": ""pay""}]"', ["find", "pay"]),
    ],
)
def test_names_of_tools_are_a_list_in_several_spellings(field: str, tools: list[str], tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text(f"question,required_tools\nHi,{field}\n")
    assert [check["name"] for check in case_in("table", table)["assert"]] == tools


def test_an_object_of_expected_fields_is_looked_up_field_by_field(tmp_path: Path):
    rows = tmp_path / "t.jsonl"
    rows.write_text('{"question": "Hi", "expected": {"status": "paid", "total": 3}}')
    assert case_in("table", rows)["assert"] == [
        {"type": "json_path", "path": "$.status", "value": "paid"},
        {"type": "json_path", "path": "$.total", "value": 3},
    ]


def test_a_row_that_asks_nothing_is_refused(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("question,must_contain\n,x\nHi,y\n")
    assert left_out("table", table) == ["nothing in the column question"]


def test_a_table_without_a_check_says_so(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("question,verdict\nHi,good\n")
    notes = [one.what for one in found_in("table", table) if isinstance(one, Note)]
    assert "these cases check nothing" in notes[1]


@pytest.mark.parametrize("name", ["assert", "assertions"])
def test_a_file_of_viva_s_own_cases_is_no_table(name: str, tmp_path: Path):
    rows = tmp_path / "cases.jsonl"
    rows.write_text(f'{{"id": "a", "input": "Hi", "{name}": [{{"type": "contains", "value": "x"}}]}}')
    with pytest.raises(UsageError, match="viva's own checks") as refused:
        found_in("table", rows)
    assert "viva test -i" in (refused.value.hint or "")


def test_a_column_called_assert_may_be_named_for_what_it_is(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("question,assert\nHi,is polite\n")
    assert case_in("table", table, columns={"judge": ("assert",)})["assert"][0]["reference"] == "is polite"
