"""τ²-bench's tasks."""

import json
from pathlib import Path
from typing import Any

from tests.unit.imports.example_files import DATA, FILES, case_in, found_in, left_out

from vivavoce.imports.found import FoundCase


def task(tmp_path: Path, **criteria: Any) -> Path:
    file = tmp_path / "tasks.json"
    told = {"user_scenario": {"instructions": "Ask for a refund.", "persona": "Ada"}, "evaluation_criteria": criteria}
    file.write_text(json.dumps([{"id": "t", **told}]))
    return file


def test_what_only_its_own_database_can_tell_is_said():
    (one,) = found_in("tau2", DATA / FILES["tau2"])
    assert isinstance(one, FoundCase)
    assert one.case["final_assertions"][0] == {
        "type": "tool_called",
        "name": "refund",
        "arguments": {"order": "A-17"},
    }
    assert len(one.left_out) == 2


def test_only_the_arguments_that_are_compared_are_wanted(tmp_path: Path):
    action = {"name": "pay", "arguments": {"order": 1, "note": "x"}, "compare_args": ["order"]}
    file = task(tmp_path, actions=[action], reward_basis=["ACTION"])
    assert case_in("tau2", file)["final_assertions"] == [
        {"type": "tool_called", "name": "pay", "arguments": {"order": 1}}
    ]
    assert left_out("tau2", file) == []


def test_what_the_user_does_and_a_broken_action_are_told(tmp_path: Path):
    actions = [{"name": "reboot", "requestor": "user"}, "pay"]
    assert left_out("tau2", task(tmp_path, actions=actions, reward_basis=["ACTION"])) == [
        "reboot is an action of the user",
        "an action must be an object: pay",
    ]


def test_instructions_may_be_one_text(tmp_path: Path):
    told = case_in("tau2", task(tmp_path))["simulator"]["options"]["metadata"]
    assert told == {"goal": "Ask for a refund.", "persona": "Ada"}
