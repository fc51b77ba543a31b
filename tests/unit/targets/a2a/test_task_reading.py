"""What a turn's answers and events are put together to."""

from typing import Any

import pytest
from tests.fakes.a2a_server import artifact, of_agent, status, task

from vivavoce.model.message import Usage
from vivavoce.targets.a2a.task_reading import Group, TaskReading


def read(*events: Any, **known: Any) -> TaskReading:
    reading = TaskReading(**known)
    for at, event in enumerate(events):
        reading.take(event, float(at), streamed=True)
    return reading


def words(groups: list[Group]) -> list[str]:
    return ["".join(str(part.value) for part in group.parts) for group in groups]


@pytest.mark.parametrize(
    ("state", "is_over", "is_unfinished", "is_strange"),
    [
        ("TASK_STATE_COMPLETED", True, False, False),
        ("TASK_STATE_INPUT_REQUIRED", True, False, False),
        ("TASK_STATE_WORKING", False, True, False),
        ("TASK_STATE_DREAMING", False, False, True),
    ],
)
def test_what_a_state_says(state: str, is_over: bool, is_unfinished: bool, is_strange: bool):
    reading = read(status(state))
    assert (reading.is_over, reading.is_unfinished, reading.is_strange) == (is_over, is_unfinished, is_strange)


def test_a_strange_state_is_a_breach_and_its_status_is_unread():
    reading = read(status("TASK_STATE_DREAMING", of_agent({"text": "refund made"})))
    assert "not one of A2A's" in reading.violations[0]
    assert "refund made" in reading.unread[0].piece


def test_an_event_of_an_unknown_kind_is_unread():
    reading = read({"surprise": {"call": "refund"}})
    assert (reading.heard_anything, len(reading.unread)) == (True, 1)


def test_an_artifact_is_appended_to_or_replaced():
    reading = read(
        artifact({"text": "On "}), artifact({"text": "it."}, append=True), artifact({"text": "x"}, artifact_id="b")
    )
    assert words(reading.new_artifacts()) == ["On it.", "x"]
    assert reading.replaced == []
    replaced = read(artifact({"text": "Draft."}), artifact({"text": "Final."}))
    assert (words(replaced.new_artifacts()), words(replaced.replaced)) == (["Final."], ["Draft."])


def test_an_artifact_of_an_earlier_turn_is_not_new_until_it_changes():
    first = read(task("COMPLETED", artifacts=[{"artifactId": "a1", "parts": [{"text": "Hi."}]}]))
    again = task("COMPLETED", artifacts=[{"artifactId": "a1", "parts": [{"text": "Hi."}]}])
    other = task("COMPLETED", artifacts=[{"artifactId": "a1", "parts": [{"text": "Ho."}]}])
    known = first.said_artifacts()
    assert words(read(again, known_artifacts=known).new_artifacts()) == []
    assert words(read(other, known_artifacts=known).new_artifacts()) == ["Ho."]


def test_a_status_that_is_told_twice_is_said_once():
    asks = status("TASK_STATE_INPUT_REQUIRED", of_agent({"text": "Which one?"}, message_id="m1"))
    assert words(read(asks, asks).said) == ["Which one?"]
    other = status("TASK_STATE_INPUT_REQUIRED", of_agent({"text": "Which colour?"}, message_id="m1"))
    assert words(read(asks, other).said) == ["Which one?", "Which colour?"]


def test_a_part_of_an_unknown_kind_is_unread():
    assert [one.where for one in read(artifact({"hologram": "x"})).unread] == ["a part of an unknown kind"]


def test_the_next_round_forgets_the_question_and_keeps_the_task():
    reading = read(status("TASK_STATE_INPUT_REQUIRED", of_agent({"text": "Which?"})))
    kept = reading.task_id
    reading.next_round()
    assert (reading.state, reading.last_said, reading.asked, reading.task_id) == ("", None, [], kept)


def test_the_usage_of_every_model_call_is_added():
    def told(event: str, read: int, written: int) -> Any:
        counts = {"promptTokenCount": read, "candidatesTokenCount": written}
        return status("TASK_STATE_WORKING", metadata={"adk_event_id": event, "adk_usage_metadata": counts})

    assert read(told("1", 5, 1), told("2", 7, 2), told("2", 7, 2)).usage() == Usage(12, 3)
    assert read(status("TASK_STATE_WORKING")).usage() is None
