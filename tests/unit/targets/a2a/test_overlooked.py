"""Calls in places of an A2A event where no call is expected."""

from typing import Any

import pytest
from tests.fakes.a2a_server import artifact, of_agent, status, task

from vivavoce.model.message import AgentReply
from vivavoce.targets.a2a.answer import answer_in, reply_of
from vivavoce.targets.a2a.task_reading import TaskReading

CALL: dict[str, Any] = {"data": {"id": "c", "name": "pay", "args": {}}, "metadata": {"adk_type": "function_call"}}
TOLD: dict[str, Any] = {"tool_calls": [{"name": "pay", "args": {}}]}
HI: dict[str, Any] = {"text": "Hi."}
OF_USER: dict[str, Any] = {"role": "ROLE_USER", "messageId": "u1", "parts": [{"text": "x"}]}
DONE = status("TASK_STATE_COMPLETED")
WORKING = "TASK_STATE_WORKING"


def _reply(*events: dict[str, Any]) -> AgentReply:
    reading = TaskReading()
    for now, event in enumerate(events):
        reading.take(event, float(now), streamed=True)
    return reply_of(reading, answer_in(reading))


def _task(**fields: Any) -> dict[str, Any]:
    told = task("COMPLETED", artifacts=[{"artifactId": "a1", "parts": [HI]}])
    told["task"] |= fields
    return told


def _artifact(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return _task(artifacts=[{"artifactId": "a1", "parts": list(parts), **more}])


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(_artifact(HI, metadata=TOLD), id="metadata-of-an-artifact"),
        pytest.param(_artifact({**HI, "metadata": TOLD}), id="metadata-of-a-part"),
        pytest.param(_task(history=[OF_USER, {**of_agent(HI), "metadata": TOLD}]), id="metadata-in-the-history"),
        pytest.param(_artifact({**HI, "data": TOLD}), id="data-beside-text"),
        pytest.param(_task(history=[of_agent(CALL), OF_USER]), id="before-the-users-message"),
        pytest.param(_task(history=[{**of_agent(CALL), "role": "ROLE_USER"}]), id="as-the-user"),
        pytest.param(_task(history=[OF_USER, of_agent({"data": TOLD})]), id="data-in-the-history"),
        pytest.param(status(WORKING, of_agent({"data": TOLD})), id="data-in-a-status"),
        pytest.param(status(WORKING, {**of_agent(CALL), "role": "ROLE_USER"}), id="status-of-the-user"),
        pytest.param(_task(artifacts={"a": {"parts": [CALL]}}), id="artifacts-as-an-object"),
        pytest.param(_task(history={"m": of_agent(CALL)}), id="history-as-an-object"),
        pytest.param(_artifact(HI, {"data": {"tool_results": [{"name": "pay"}], "x": 1}}), id="results-and-more"),
        pytest.param(_artifact(HI, {"data": {"tool_results": ["pay"]}}), id="results-as-texts"),
        pytest.param(
            _artifact(HI, {"text": '<tool_call>{"name": "pay"}</tool_call>', "metadata": {"adk_thought": True}}),
            id="thought",
        ),
    ],
)
def test_a_call_where_none_is_expected_is_unread(event: dict[str, Any]) -> None:
    assert any(piece.may("call") for piece in _reply(event, artifact(HI), DONE).unread)


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([status(WORKING, of_agent(HI)), status(WORKING, of_agent(CALL))], id="in-a-status"),
        pytest.param(
            [status(WORKING, of_agent(HI)), _task(history=[OF_USER, of_agent(CALL)])],
            id="in-the-history",
        ),
        pytest.param([_artifact(HI, {**CALL, "metadata": {"adk_type": "FUNCTION_CALL"}})], id="in-capitals"),
        pytest.param([_artifact(HI, {**CALL, "metadata": {"kind": "function_call"}})], id="under-another-key"),
    ],
)
def test_a_call_under_a_message_id_used_again_or_marked_otherwise_is_seen(events: list[dict[str, Any]]) -> None:
    assert [call.name for call in _reply(*events, DONE).calls] == ["pay"]


def test_calls_that_are_known_are_no_doubt_when_the_history_repeats_them() -> None:
    repeated = _task(history=[of_agent(CALL, message_id="m0"), OF_USER])
    assert _reply(status(WORKING, of_agent(CALL, message_id="m0")), repeated).unread == ()


@pytest.mark.parametrize("parts", [{"first": CALL}, [[CALL]], [str(CALL)]], ids=["object", "nested", "text"])
def test_parts_that_are_no_list_of_objects_are_unread(parts: Any):
    said = {**of_agent(HI), "parts": parts}
    reply = _reply(_task(history=[OF_USER, said]))
    assert {piece.may_hold for piece in reply.unread} == {"both"}


@pytest.mark.parametrize("told", [{"last": "pay_back"}, {"log": ["Calling pay_back(order=7)"]}, {"pay_back": {"n": 1}}])
def test_words_in_metadata_are_doubt_about_a_tool_of_that_name(told: dict[str, Any]):
    for events in ([_task(metadata=told)], [status(WORKING, metadata=told), _task()], [_artifact(HI, metadata=told)]):
        pieces = _reply(*events).unread
        assert {piece.may_hold for piece in pieces} == {"name"}
        assert "pay_back" in pieces[0].tool.split()
