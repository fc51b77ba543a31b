from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.selected import Pick, Selected, split_pick

TEXT = '# head\n{"id": "a", "input": "x"}\n\n{\n "id": "b",\n "input": "y"\n}\n{"id": "c", "input": "z"}\n# end\n'


def pick(folder: Path, *picks: Pick, text: str = TEXT) -> list[str]:
    file = folder / "cases.jsonl"
    file.write_text(text, encoding="utf-8")
    found = Selected(JsonlSource(file, "cases.jsonl"), picks, file).read()
    return [item.id if isinstance(item, Case) else str(item) for item in found]


@pytest.mark.parametrize(
    ("text", "path", "wanted"),
    [
        ("a.jsonl", "a.jsonl", None),
        ("a.jsonl::T1", "a.jsonl", Pick("T1")),
        ("a.jsonl::flow[x::y]", "a.jsonl", Pick("flow[x::y]")),
        ("a.jsonl:12", "a.jsonl", Pick(line=12)),
        ("::T1", "::T1", None),
        ("a.jsonl::", "a.jsonl::", None),
    ],
)
def test_an_id_or_a_line_may_follow_the_path(text: str, path: str, wanted: Pick | None):
    assert split_pick(text) == (path, wanted)


def test_cases_are_picked_by_id_in_the_files_order(tmp_path: Path):
    assert pick(tmp_path, Pick("c"), Pick("a")) == ["a", "c"]


@pytest.mark.parametrize(("line", "case_id"), [(2, "a"), (3, "a"), (4, "b"), (6, "b"), (8, "c"), (9, "c")])
def test_a_line_belongs_to_the_case_that_begins_on_or_before_it(tmp_path: Path, line: int, case_id: str):
    assert pick(tmp_path, Pick(line=line)) == [case_id]


def test_a_case_picked_twice_comes_once(tmp_path: Path):
    assert pick(tmp_path, Pick("b"), Pick(line=5)) == ["b"]


def test_what_is_not_there_is_an_error_with_the_nearest_id(tmp_path: Path):
    text = '{"id": "refund", "input": "x"}\n'
    assert pick(tmp_path, Pick("refnud"), text=text) == ["cases.jsonl: no case 'refnud' (did you mean 'refund'?)"]
    [far] = pick(tmp_path, Pick("zzz"), text=text)
    assert far == "cases.jsonl: no case 'zzz' (viva list cases.jsonl shows them)"
    assert pick(tmp_path, Pick(line=1)) == ["cases.jsonl: no case at line 1 (the nearest is 'a' at line 2)"]


def test_a_line_beyond_the_end_of_the_file_belongs_to_nobody(tmp_path: Path):
    found = pick(tmp_path, Pick(line=2), Pick(line=10))
    assert found == ["a", "cases.jsonl: no case at line 10 (the nearest is 'c' at line 8)"]


def test_errors_elsewhere_in_the_file_stay(tmp_path: Path):
    found = pick(tmp_path, Pick("a"), text=TEXT + '{"input": "d"}\n')
    assert found[0] == "a"
    assert "'id' is missing" in found[1]
    assert len(found) == 2


def test_the_label_is_the_files(tmp_path: Path):
    assert Selected(JsonlSource(tmp_path / "x", "x"), (Pick("a"),), tmp_path / "x").label == "x"


def test_an_unreadable_file_is_one_error_and_one_case_not_found(tmp_path: Path):
    found = list(Selected(JsonlSource(tmp_path / "gone", "gone"), (Pick("a"),), tmp_path / "gone").read())
    assert all(isinstance(item, UsageError) for item in found)
    assert "cannot be read" in str(found[0])
