from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.sources.reading.json_file import JsonSource


def read(folder: Path, text: str, name: str = "cases.json") -> list[Case | UsageError]:
    file = folder / name
    file.write_bytes(text.encode())
    return list(JsonSource(file, name).read())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{"id": "a", "input": "x"}', [1]),
        ('[\n  {"id": "a", "input": "x"},\n\n  {\n  "id": "b", "input": "y"}\n]', [2, 4]),
        ('{\n"cases": [{"id": "a", "input": "]"}, {"id": "b", "input": "y"}]}', [2, 2]),
        ('// mine\n[\n{"id": "a", "input": "// not a comment"}, // first\n{"id": "b", "input": "y"},\n]', [3, 4]),
        ('[ // first\r{"id": "a", "input": "x"},\r// second\r\n{"id": "b", "input": "y"}]', [1, 2]),
    ],
)
def test_one_case_a_list_or_an_object_with_cases(tmp_path: Path, text: str, lines: list[int]):
    found = read(tmp_path, text)
    assert [case.origin for case in found if isinstance(case, Case)] == [Origin("cases.json", line) for line in lines]
    assert len(found) == len(lines)


def test_a_test_file_gives_its_case_a_name(tmp_path: Path):
    (case,) = read(tmp_path, '{"turns": [{"user": "hi"}]}', "refund.viva.json")
    assert isinstance(case, Case)
    assert case.id == "refund"


def test_a_report_given_as_cases_is_told_apart(tmp_path: Path):
    (bad,) = read(tmp_path, '{"summary": {}, "results": []}')
    assert "these are results, not cases" in str(bad)


def test_a_bad_case_does_not_hide_the_others(tmp_path: Path):
    found = read(tmp_path, '[{"id": "a", "input": "x"},\n{"id": "b", "inptu": "x"},\n{"id": "c", "input": "x"}]')
    assert [isinstance(f, Case) for f in found] == [True, False, True]
    assert str(found[1]).startswith("cases.json:2: unknown field 'inptu'")


def test_a_file_nested_without_end_is_an_error(tmp_path: Path):
    (bad,) = read(tmp_path, "[" * 100_000 + "]" * 100_000)
    assert "nested too deeply" in str(bad)


def test_a_missing_file_is_an_error(tmp_path: Path):
    (bad,) = JsonSource(tmp_path / "gone.json", "gone.json").read()
    assert str(bad) == "gone.json: cannot be read: No such file or directory"
