"""The OpenAI eval API: criteria, a run's prompt, rows."""

import json
from pathlib import Path

import pytest
from tests.unit.imports.example_files import DATA, case_in, found_in, left_out


@pytest.fixture
def evaluation(tmp_path: Path) -> Path:
    for name in ("eval.json", "run.json", "data.jsonl"):
        (tmp_path / name).write_text((DATA / "openai-evals-api" / name).read_text())
    return tmp_path / "eval.json"


def test_criteria_become_checks_and_the_prompt_is_filled_in():
    first = case_in("openai-api")
    assert first["messages"][0] == {"role": "system", "content": "You are a shop."}
    assert first["assert"] == [
        {"type": "contains", "value": "paid", "ignore_case": True},
        {"type": "similar", "value": "paid", "threshold": 0.8},
        {"type": "agent", "value": "Tone of the answer? Passing: polite. Other labels: rude."},
        {"type": "agent", "value": "Grade the answer", "threshold": 0.7},
    ]


def test_a_row_that_stands_in_two_files_is_one_case(evaluation: Path):
    assert len(found_in("openai-api", evaluation)) == 2


def test_a_foreign_file_beside_it_holds_no_rows(evaluation: Path):
    (evaluation.parent / "cases.jsonl").write_text('{"id": "a",\n "input": "x"}\n')
    assert len(found_in("openai-api", evaluation)) == 2


def test_criteria_without_a_counterpart_are_told(evaluation: Path):
    criteria = [
        {"type": "python", "name": "mine", "source": "def grade(): ..."},
        {"type": "string_check", "name": "odd", "input": "{{sample.output_text}}", "operation": "zz", "reference": "a"},
        {"type": "string_check", "name": "part", "input": "{{item.answer}}", "operation": "eq", "reference": "a"},
        5,
    ]
    evaluation.write_text(json.dumps({"testing_criteria": criteria}))
    assert left_out("openai-api", evaluation)[:4] == [
        "mine: python has no counterpart; write it as a script",
        "odd: unknown operation zz",
        "part: it does not compare the whole answer",
        "a criterion must be an object: 5",
    ]


def test_without_rows_there_is_nothing_to_ask(tmp_path: Path):
    file = tmp_path / "eval.json"
    file.write_text('{"testing_criteria": [], "data_source_config": {"type": "logs"}}')
    assert left_out("openai-api", file) == ["no rows beside it (data source logs)"]
