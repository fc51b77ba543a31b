"""Inspect's samples."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports.example_files import case_in, left_out

from vivavoce.errors import UsageError
from vivavoce.notation.patterns import compile_regex


@pytest.mark.parametrize(
    ("check", "assertion"),
    [
        ("includes", {"type": "contains", "value": ["refunded"], "any": True, "ignore_case": True}),
        ("exact", {"type": "regex", "value": r"(?i)^\s*(?:refunded)\s*$"}),
        ("judge", {"type": "agent", "criteria": "same_meaning", "reference": "refunded"}),
    ],
)
def test_answers_are_compared_as_the_option_says(check: str, assertion: dict[str, Any]):
    assert case_in("inspect", check=check)["assert"] == [assertion]


def test_choices_are_written_into_the_question():
    choices = case_in("inspect", number=2)
    assert choices["input"].endswith("A) red\nB) seven\n\nAnswer with the letter only.")
    assert choices["assert"] == [{"type": "regex", "value": r"^\W*(?:A)\b"}]


@pytest.mark.parametrize(("answer", "right"), [("It is 4.", True), ("42", False), ("4, I think", False)])
def test_a_match_stands_at_the_end(answer: str, right: bool, tmp_path: Path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"input": "2+2", "target": "4"}')
    (check,) = case_in("inspect", file, check="match")["assert"]
    assert (compile_regex(check["value"]).search(f" {answer}") is not None) is right


def test_a_check_that_is_not_known_is_an_error():
    with pytest.raises(UsageError, match="no check 'best'"):
        case_in("inspect", check="best")


def test_what_a_sandbox_prepares_and_a_sample_without_words_are_told(tmp_path: Path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"input": "x", "target": "y", "sandbox": "docker"}\n{"target": "y"}\n')
    assert left_out("inspect", file) == [
        "a sample without `input`",
        "`sandbox`: prepare it with `before`, or attach the file",
    ]
