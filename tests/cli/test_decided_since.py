"""Decisions that no other test holds: JSON in texts, folders' defaults, where results go by default."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

AGENT = """
import json


def says(messages):
    return messages[-1]["content"]
"""
VALUE = {"a": 1, "l": [2]}
WHOLE = json.dumps(VALUE)


@pytest.fixture
def saying(project: VivaProject) -> VivaProject:
    project.write("says.py", AGENT)
    project.write("viva.yaml", "agents:\n  says: {python: says.py:says}\nagent: says\n")
    return project


@pytest.mark.parametrize("check", [{"assert": {"type": "equals", "value": VALUE}}, {"expected": VALUE}])
def test_one_json_value_in_a_text_is_compared_and_never_one_in_prose_or_a_broken_one(saying: VivaProject, check: dict):
    texts = {
        "whole": WHOLE,
        "fenced": f"```json\n{WHOLE}\n```",
        "prose": f"Here it is: {WHOLE}",
        "cut": WHOLE[:-1],
        "two": f"```json\n{WHOLE}\n```\n```json\n{WHOLE}\n```",
    }
    saying.cases(*({"id": name, "input": text, **check} for name, text in texts.items()))
    done = saying.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "-v")
    rows = [json.loads(line) for line in (saying.root / "out.jsonl").read_text().splitlines()]
    ended = {row["id"]: row["status"] for row in rows if row["type"] == "result"}
    assert ended == {"whole": "passed", "fenced": "passed", "prose": "failed", "cut": "failed", "two": "failed"}
    assert done.out.count("output equals the expected value (parsed from the text)") == 2


def test_a_boolean_in_such_an_object_is_the_agents_word_on_whether_it_waits(saying: VivaProject):
    asks = json.dumps({"note": "Done.", "awaiting_input": True})
    asks_not = json.dumps({"note": "Which one do you want?", "awaiting_input": False})
    saying.cases(
        {"id": "waits", "turns": [{"input": asks}], "on_missing_input": "fail"},
        {"id": "done", "turns": [{"input": asks_not}], "on_missing_input": "fail"},
    )
    done = saying.viva("test", "-i", "cases.jsonl")
    assert (done.counts["Passed"], done.counts["Failed"]) == (1, 1), done.text


def test_a_viva_yaml_with_defaults_only_does_not_hide_the_project(saying: VivaProject):
    saying.write("tests/deep/viva.yaml", "defaults:\n  tags: [deep]\n")
    saying.write(
        "tests/deep/cases.jsonl", '{"id": "a", "input": "hi", "assert": {"type": "contains", "value": "hi"}}\n'
    )
    done = saying.viva("test", "-i", "cases.jsonl", "-m", "deep", below="tests/deep")
    assert done.code == 0, done.text
    assert "Agent: says" in done.out


def test_run_output_says_where_results_go(saying: VivaProject):
    saying.write("viva.yaml", (saying.root / "viva.yaml").read_text() + "run: {output: kept/results}\n")
    saying.write("tests/a.jsonl", '{"id": "a", "input": "hi"}\n')
    assert saying.viva("test", "-i", "tests/a.jsonl").code == 0
    assert saying.viva("test", "-i", "a.jsonl", below="tests").code == 0
    found = sorted(path.relative_to(saying.root).parent for path in saying.root.rglob("output-*.jsonl"))
    assert found == [Path("kept/results")] * 2, "from wherever it is called"


def test_without_it_they_lie_beside_the_input(saying: VivaProject):
    saying.write("tests/a.jsonl", '{"id": "a", "input": "hi"}\n')
    assert saying.viva("test", "-i", "tests/a.jsonl").code == 0
    assert [path.parent.name for path in saying.root.rglob("output-*.jsonl")] == ["tests"]
