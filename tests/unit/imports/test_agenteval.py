"""AWS Agent Evaluation."""

from pathlib import Path

from tests.unit.imports.example_files import case_in, left_out


def test_steps_become_a_goal_and_results_questions_for_a_judge():
    refund = case_in("agenteval")
    assert refund["simulator"]["options"]["metadata"]["goal"].startswith("1. Ask for a refund. 2.")
    assert len(refund["final_assertions"]) == 2


def test_a_test_without_steps_is_refused(tmp_path: Path):
    file = tmp_path / "agenteval.yml"
    file.write_text("tests: {empty: {expected_results: [x]}}\n")
    assert left_out("agenteval", file) == ["empty: no steps"]
