"""Google ADK's evalsets, older lists and criteria."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports.example_files import DATA, case_in, found_in, left_out

from vivavoce.imports.found import FoundCase


def written(tmp_path: Path, conversation: Any, criteria: dict[str, Any] | None = None) -> Path:
    case = {"eval_id": "a", "conversation": conversation}
    file = tmp_path / "x.evalset.json"
    file.write_text(json.dumps({"eval_cases": [case]}))
    if criteria is not None:
        (tmp_path / "test_config.json").write_text(json.dumps({"criteria": criteria}))
    return file


ASKED = {"user_content": {"parts": [{"text": "Hi"}]}}


def test_conversations_and_criteria():
    refund = case_in("adk")
    assert (refund["id"], refund["user"], refund["state"]) == ("refund_two_turns", "ada", {"plan": "gold"})
    first, second = refund["turns"]
    assert [one["type"] for one in first["assert"]] == ["similar"]
    assert second["assert"][0] == {
        "type": "sequence",
        "calls": [
            {"name": "find_order", "args": {"order": "A-17"}},
            {"name": "refund", "args": {"order": "A-17", "amount": 30}},
        ],
        "match": "in_order",
    }
    assert second["assert"][1]["threshold"] == 0.6
    assert refund["final_assertions"] == [{"type": "agent", "value": "The answer is polite.", "threshold": 0.8}]
    assert case_in("adk", number=1)["simulator"]["options"]["metadata"]["goal"].startswith("Ask for a refund")


def test_without_a_config_exactly_these_calls_are_wanted(tmp_path: Path):
    (tmp_path / "old.test.json").write_text((DATA / "adk" / "old_list.test.json").read_text())
    first, second = case_in("adk", tmp_path / "old.test.json")["turns"]
    assert first["assert"][0]["match"] == "exact"
    assert second["assert"][0] == {"type": "only", "names": []}


def test_camel_case_keeps_the_spelling_of_arguments(tmp_path: Path):
    (tmp_path / "x.evalset.json").write_text(
        '{"evalCases": [{"evalId": "a", "conversation": [{"userContent": {"parts": [{"text": "Hi"}]}, '
        '"intermediateData": {"toolUses": [{"name": "find", "args": {"orderId": 1}}]}}]}]}'
    )
    case = case_in("adk", tmp_path / "x.evalset.json")
    assert case["assert"][0]["calls"] == [{"name": "find", "args": {"orderId": 1}}]


def test_calls_are_read_from_events_too(tmp_path: Path):
    call = {"name": "find", "args": {"n": 1}}
    events = {"invocation_events": [{"content": {"parts": [{"function_call": call}]}}]}
    case = case_in("adk", written(tmp_path, [{**ASKED, "intermediate_data": events}]))
    assert case["assert"][0]["calls"] == [call]


@pytest.mark.parametrize("name", ["hallucinations_v1", "response_evaluation_score", "multi_turn_task_success_v1"])
def test_what_a_hosted_judge_decides_is_asked_of_viva_s(name: str, tmp_path: Path):
    (found,) = found_in("adk", written(tmp_path, [ASKED], {name: 0.5}))
    assert isinstance(found, FoundCase)
    assert [check["type"] for check in found.case["final_assertions"]] == ["agent"]
    assert [remark.outcome for remark in found.remarks] == ["different"]


def test_a_criterion_of_one_s_own_is_left_to_a_person(tmp_path: Path):
    assert left_out("adk", written(tmp_path, [ASKED], {"my_metric": 1})) == [
        "the criterion my_metric: write it as a script or a judge"
    ]


def test_a_turn_that_is_no_object_refuses_the_case(tmp_path: Path):
    assert left_out("adk", written(tmp_path, [ASKED, 5])) == ["a turn of its conversation is not an object"]


def test_a_file_of_the_user_is_left_to_a_person(tmp_path: Path):
    sent = {"user_content": {"parts": [{"text": "See"}, {"inline_data": {"data": "AAAA"}}]}}
    assert left_out("adk", written(tmp_path, [sent], {})) == ["a file that the user sent: attach it by hand"]


def test_an_older_evalset_is_a_list_of_conversations_by_name(tmp_path: Path):
    asked = {"query": "Hi", "expected_tool_use": [{"tool_name": "find", "tool_input": {"a": 1}}], "reference": "Ho"}
    talk = {"name": "talk", "data": [asked, {"query": "Bye"}], "initial_session": {"state": {"plan": "gold"}}}
    file = tmp_path / "x.evalset.json"
    file.write_text(json.dumps([talk, {"name": "empty", "data": []}]))
    case = case_in("adk", file)
    assert (case["id"], case["state"]) == ("talk", {"plan": "gold"})
    assert [turn["input"] for turn in case["turns"]] == ["Hi", "Bye"]
    assert [one["type"] for one in case["turns"][0]["assert"]] == ["sequence", "similar"]
    assert left_out("adk", file) == ["`data` is not a list of queries"]
