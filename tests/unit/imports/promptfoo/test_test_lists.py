"""promptfoo's tests in the configuration, in files and in tables."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.imports.found import Refused
from vivavoce.imports.promptfoo import test_lists
from vivavoce.imports.promptfoo.test_lists import FoundTest
from vivavoce.notation.yaml_reader import YamlDocument


def found_in(folder: Path, value: Any, *, run_code: bool = False) -> list[FoundTest | Refused]:
    document = YamlDocument({}, 1, {})
    return list(test_lists.tests_in(value, ("tests",), document, folder / "promptfooconfig.yaml", run_code=run_code))


def only(folder: Path, value: Any) -> dict[str, Any]:
    (found,) = found_in(folder, value)
    assert isinstance(found, FoundTest), found
    return found.test


def told(folder: Path, value: Any) -> str:
    (found,) = found_in(folder, value)
    assert isinstance(found, Refused), found
    return found.what


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.yaml", "- {vars: {q: Hi}}\n"),
        ("t.json", '[{"vars": {"q": "Hi"}}]'),
        ("t.jsonl", '{"vars": {"q": "Hi"}}\n'),
    ],
)
def test_tests_stand_in_other_files(name: str, text: str, tmp_path: Path):
    (tmp_path / name).write_text(text)
    for value in (f"file://{name}", [name], "t.*"):
        assert only(tmp_path, value) == {"vars": {"q": "Hi"}}


def test_a_row_has_variables_and_what_is_expected(tmp_path: Path):
    (tmp_path / "t.csv").write_text(
        "q,__expected,__expected2,__description,__threshold,__metric,__prefix,__metadata:area,__metadata:tags[],"
        "__config:__expected2:threshold\n"
        'Hi,contains: a,similar: b,greets,0.5,tone,Dear,shop,"x,y",0.7\n'
    )
    assert only(tmp_path, "t.csv") == {
        "vars": {"q": "Hi"},
        "assert": [{"type": "contains", "value": "a"}, {"type": "similar", "value": "b", "threshold": 0.7}],
        "description": "greets",
        "threshold": 0.5,
        "metric": "tone",
        "metadata": {"area": "shop", "tags": ["x", "y"]},
        "options": {"prefix": "Dear"},
    }


@pytest.mark.parametrize(
    ("column", "field"),
    [("__threshold", "abc"), ("__config:__expected:threshold", "nan"), ("__expected", "latency: soon")],
)
def test_a_limit_that_is_no_number_refuses_its_row(column: str, field: str, tmp_path: Path):
    (tmp_path / "t.csv").write_text(f"q,{column}\nHi,{field}\n")
    assert "wanted a number" in told(tmp_path, "t.csv")


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([5], "a test must be an object: 5"),
        ("https://example.com/t.csv", "tests at an address: https://example.com/t.csv; download them first"),
        ("file://t.xlsx#Sheet1", "t.xlsx#Sheet1 is a spreadsheet; save it as CSV"),
        ("file://no*.yaml", "no file matches no*.yaml"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(value: Any, what: str, tmp_path: Path):
    assert told(tmp_path, value) == what


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    assert told(tmp_path, "no.yaml").endswith("no.yaml does not exist")


@pytest.mark.parametrize("value", ["file://make.py:made", [{"path": "file://make.py:made"}]])
def test_a_script_runs_only_when_asked(value: Any, tmp_path: Path):
    (tmp_path / "make.py").write_text("def made(config=None):\n    return [{'vars': {'q': 'Hi'}}, 5]\n")
    assert "let promptfoo write them as YAML first" in told(tmp_path, value)
    first, second = found_in(tmp_path, value, run_code=True)
    assert isinstance(first, FoundTest)
    assert first.test == {"vars": {"q": "Hi"}}
    assert isinstance(second, Refused)
