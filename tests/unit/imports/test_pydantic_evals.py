"""pydantic-evals' datasets."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports.example_files import case_in, left_out


def dataset(tmp_path: Path, evaluator: str) -> Path:
    file = tmp_path / "shop.yaml"
    file.write_text(f"cases: [{{inputs: Hi}}]\nevaluators:\n  - {evaluator}\n")
    return file


def test_evaluators_become_checks():
    assert case_in("pydantic-evals")["assert"] == [
        {"type": "contains", "value": "30", "ignore_case": True},
        {"type": "agent", "value": "Says when the money arrives"},
        {"type": "latency", "max": "5s"},
        {"type": "equals", "value": "Refunded 30 EUR."},
        {"type": "type", "value": "string"},
    ]
    assert case_in("pydantic-evals", number=1)["metadata"]["inputs"]["order"] == "A-17"


@pytest.mark.parametrize(
    ("evaluator", "assertion"),
    [
        ("MaxToolCalls: 3", {"type": "max_calls", "value": 3}),
        ("ToolCorrectness: {tools: [find]}", {"type": "tool_called", "name": "find"}),
        (
            "TrajectoryMatch: {trajectory: [find, pay], order: unordered}",
            {"type": "sequence", "calls": ["find", "pay"], "match": "any_order"},
        ),
        (
            "HasMatchingSpan: {query: {has_attributes: {gen_ai.tool.name: find}}}",
            {"type": "tool_called", "name": "find"},
        ),
    ],
)
def test_calls_are_checked(evaluator: str, assertion: dict[str, Any], tmp_path: Path):
    assert case_in("pydantic-evals", dataset(tmp_path, evaluator))["assert"] == [assertion]


@pytest.mark.parametrize(
    "evaluator",
    ["MyOwn", "MaxToolCalls: .inf", "IsInstance: {type_name: Order}", "HasMatchingSpan: {query: {name_equals: x}}"],
)
def test_what_has_no_counterpart_is_told(evaluator: str, tmp_path: Path):
    (told,) = left_out("pydantic-evals", dataset(tmp_path, evaluator))
    assert evaluator.partition(":")[0] in told


def test_a_number_that_json_does_not_know_never_becomes_a_check_for_null(tmp_path: Path):
    file = dataset(tmp_path, "Equals: {value: {a: [.inf]}}")
    (told,) = left_out("pydantic-evals", file)
    assert "equals: a check with .inf or .nan" in told


def test_evaluators_of_the_whole_run_are_refused(tmp_path: Path):
    file = tmp_path / "x.yaml"
    file.write_text("cases: [{inputs: Hi}, {name: no}]\nreport_evaluators: [Mine]\n")
    assert left_out("pydantic-evals", file) == [
        "report_evaluators judge the whole run: viva has no counterpart",
        "case 2 has no `inputs`",
    ]
