"""Which tool wrote a file."""

from pathlib import Path

import pytest
from tests.unit.imports.example_files import DATA, FILES

from vivavoce.errors import UsageError
from vivavoce.imports.recognising import kind_of, marks_in

OTHERS = {
    "adk/old_list.test.json": "adk",
    "deepeval/conversational_goldens.json": "deepeval",
    "deepeval/goldens.csv": "deepeval",
    "inspect/shop.csv": "inspect",
    "openai-evals/samples.jsonl": "openai",
    "table/cases.csv": "table",
}


@pytest.mark.parametrize(("file", "kind"), [*((file, kind) for kind, file in FILES.items()), *OTHERS.items()])
def test_the_contents_of_a_file_tell_its_kind_whatever_it_is_called(file: str, kind: str, tmp_path: Path):
    named = tmp_path / f"mine{Path(file).suffix}"
    named.write_bytes((DATA / file).read_bytes())
    assert kind_of(named).name == kind


@pytest.mark.parametrize(
    ("name", "kind"), [("evals.json", "skills"), ("promptfooconfig.yaml", "promptfoo"), ("questions.csv", "table")]
)
def test_the_name_tells_it_where_the_contents_do_not(name: str, kind: str, tmp_path: Path):
    (tmp_path / name).write_text("")
    assert kind_of(tmp_path / name).name == kind


@pytest.mark.parametrize(
    ("name", "text"), [("notes.txt", "x"), ("order.json", '{"order": "A-17"}'), ("x.yaml", "a: [")]
)
def test_a_file_that_nobody_knows_is_an_error(name: str, text: str, tmp_path: Path):
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match="cannot tell which tool"):
        kind_of(tmp_path / name)


def test_whoever_names_columns_means_a_table(tmp_path: Path):
    table = tmp_path / "shop.csv"
    table.write_text("input,target\nHello,hello\n")
    assert kind_of(table).name == "inspect"
    assert kind_of(table, {"equals"}).name == "table"


def test_names_are_found_at_the_top_one_below_and_in_lists():
    assert set(marks_in({"a": {"b": 1}, "c": [{"d": 1}, {"e": 1}], "f": 5})) == {"a", "*.b", "c", "*[].d", "f"}
    assert set(marks_in([{"a": [{"b": 1}]}])) == {"[].a"}
    assert list(marks_in(None)) == []
