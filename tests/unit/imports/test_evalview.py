"""EvalView's tests."""

from pathlib import Path

import pytest
from tests.unit.imports.example_files import case_in, found_in, left_out

from vivavoce.errors import UsageError


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "test.yaml"
    file.write_text(text)
    return file


def test_turns_limits_and_runs():
    refund = case_in("evalview")
    assert (refund["runs"], refund["min_pass"]) == (10, 8)
    assert [turn["input"] for turn in refund["turns"]] == ["Refund A-17", "Yes"]
    assert {"type": "forbid", "name": "delete_order"} in refund["final_assertions"]
    assert {"type": "contains", "value": "30 EUR", "ignore_case": True} in refund["final_assertions"]


def test_one_question_has_its_checks_itself(tmp_path: Path):
    text = "input: {query: Hi}\nexpected: {output: {regex_patterns: [a+], json_schema: {type: object}}, no_pii: true}\n"
    case = case_in("evalview", written(tmp_path, text))
    assert case["input"] == "Hi"
    assert [check["type"] for check in case["assert"]] == ["regex", "json_schema", "agent"]


def test_what_is_not_known_is_told(tmp_path: Path):
    text = "input: {query: Hi}\nexpected: {emotion: calm, output: {words: 5}}\nmocks: {tool_mocks: []}\n"
    assert left_out("evalview", written(tmp_path, text)) == [
        f"`{key}` has no counterpart here" for key in ("emotion", "words", "mocks")
    ]


def test_a_turn_that_is_no_object_is_an_error(tmp_path: Path):
    with pytest.raises(UsageError, match="each of its `turns` must be an object"):
        found_in("evalview", written(tmp_path, "turns: [Hi]\nexpected: {}\n"))
