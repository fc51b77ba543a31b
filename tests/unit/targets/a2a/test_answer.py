"""What of a task is the reply: text, structured output, files, progress, doubts."""

import base64
import json
from typing import Any

from msgspec import UNSET
from tests.fakes.a2a_server import artifact, of_agent, status, task

from vivavoce.model.message import AgentReply
from vivavoce.targets.a2a.answer import answer_in, reply_of
from vivavoce.targets.a2a.task_reading import TaskReading

DONE = status("TASK_STATE_COMPLETED")
WORKING = "TASK_STATE_WORKING"


def _reply(*events: dict[str, Any], streamed: bool = True) -> AgentReply:
    reading = TaskReading()
    for now, event in enumerate(events):
        reading.take(event, float(now), streamed=streamed)
    return reply_of(reading, answer_in(reading))


def test_chunks_are_joined_and_a_whole_artifact_replaces_them() -> None:
    chunks = [artifact({"text": "One, "}, append=True), artifact({"text": "two."}, append=True)]
    assert _reply(*chunks, DONE).text == "One, two."
    assert _reply(*chunks, artifact({"text": "One, two."}), DONE).text == "One, two."


def test_several_artifacts_are_lines_of_one_answer() -> None:
    assert _reply(artifact({"text": "a"}), artifact({"text": "b"}, artifact_id="a2"), DONE).text == "a\nb"


def test_progress_is_told_beside_the_answer_unless_it_is_the_answer() -> None:
    thinking = status(WORKING, of_agent({"text": "Thinking"}))
    assert _reply(thinking, artifact({"text": "Done."}), DONE).texts == ("Thinking", "Done.")
    tokens = [status(WORKING, of_agent({"text": text}, message_id=text)) for text in ("Do", "ne.")]
    assert _reply(*tokens, artifact({"text": "Done.\n"}), DONE).texts == ()
    assert _reply(*tokens, DONE).text == "Do\nne."


def test_a_draft_and_the_question_about_it_are_both_seen() -> None:
    reply = _reply(artifact({"text": "Draft."}), status("input-required", of_agent({"text": "Is it good?"})))
    assert (reply.text, reply.texts) == ("Is it good?", ("Draft.", "Is it good?"))


def test_data_is_structured_output() -> None:
    reply = _reply(artifact({"text": "Here."}, {"data": {"n": 1}}), DONE)
    assert (reply.text, reply.output) == ("Here.", {"n": 1})
    assert _reply(artifact({"data": {"n": 1}}, {"data": [2]}), DONE).output == [{"n": 1}, [2]]
    wrapped = {"data": {"result": {"n": 1}}, "metadata": {"json_schema": {}}}
    assert _reply(artifact(wrapped), DONE).output == {"n": 1}


def test_files_are_the_output_where_nothing_was_said_and_part_of_the_state_always() -> None:
    file = {"url": "https://h/a.png", "filename": "a.png", "mediaType": "image/png"}
    told = {"name": "a.png", "media_type": "image/png", "url": "https://h/a.png"}
    assert _reply(artifact(file), DONE).output == {"files": [told]}
    spoken = _reply(artifact({"text": "Here."}, file), DONE)
    assert (spoken.output, spoken.state) == ("Here.", {"task_state": "completed", "files": [told]})


def test_thoughts_are_shown_and_not_said() -> None:
    reply = _reply(artifact({"text": "Hm.", "metadata": {"adk_thought": True}}, {"text": "Yes."}), DONE)
    assert (reply.text, reply.trace) == ("Yes.", ({"type": "reasoning", "text": "Hm."},))


def test_the_form_of_the_answer_says_whether_calls_are_shown() -> None:
    plain = _reply(artifact({"text": "Hi."}), DONE)
    assert (plain.shows_calls, plain.calls) == (False, ())
    assert _reply(status(WORKING, metadata={"adk_app_name": "desk"}), artifact({"text": "Hi."}), DONE).shows_calls
    call = {"data": {"id": "c", "name": "pay", "args": {}}, "metadata": {"adk_type": "function_call"}}
    shown = _reply(status(WORKING, of_agent(call)), artifact({"text": "Hi."}), DONE)
    assert (shown.shows_calls, [each.name for each in shown.calls], shown.text) == (True, ["pay"], "Hi.")


def test_a_call_told_in_a_status_and_again_in_the_history_is_one_call() -> None:
    call = {"data": {"name": "pay", "args": {}}, "metadata": {"adk_type": "function_call"}}
    message = of_agent(call, message_id="m7")
    finished = task("COMPLETED")
    finished["task"]["history"] = [{"role": "ROLE_USER", "parts": [{"text": "x"}]}, message]
    assert len(_reply(status(WORKING, message), finished).calls) == 1


def test_words_beside_the_answer_are_kept() -> None:
    hi, bad = {"text": "Hi."}, {"text": "Bad."}
    message = {"message": of_agent(bad)}
    snapshot = task("COMPLETED", artifacts=[{"artifactId": "z", "parts": [hi]}])
    with_history = task("COMPLETED", artifacts=[{"artifactId": "z", "parts": [hi]}])
    with_history["task"]["history"] = [of_agent(bad)]
    for events in (
        (message, artifact(hi), DONE),
        (artifact(bad), artifact(hi), DONE),
        (artifact(bad), snapshot),
        (with_history,),
        (artifact(hi, {"raw": "QmFkLg==", "filename": "x.txt", "mediaType": "text/plain"}), DONE),
    ):
        reply = _reply(*events)
        assert (reply.text, reply.texts) == ("Hi.", ("Bad.", "Hi."))


def test_words_in_data_beside_the_answer_are_unread() -> None:
    for events in (
        (status(WORKING, of_agent({"data": {"w": "Bad."}})), artifact({"text": "Hi."}), DONE),
        (artifact({"data": {"w": "Bad."}}), status("input-required", of_agent({"text": "Good?"}))),
    ):
        assert [piece.may_hold for piece in _reply(*events).unread if not piece.is_name] == ["words"]


def test_what_cannot_be_read_is_unread() -> None:
    strange = _reply(artifact({"text": "Hi."}, {"hologram": 1}), {"surprise": {}}, DONE)
    assert [piece.where for piece in strange.unread] == ["a part of an unknown kind", "an event of an unknown kind"]
    hidden = _reply(artifact({"text": '<tool_call>{"name": "pay", "arguments": {}}</tool_call>'}), DONE)
    assert [piece.may_hold for piece in hidden.unread] == ["call"]
    told = _reply(artifact({"data": {"tool_calls": [{"name": "pay"}]}}), DONE)
    assert [piece.may_hold for piece in told.unread] == ["call"]


def test_a_state_nobody_knows_is_unread_even_when_the_task_goes_on() -> None:
    reply = _reply(status("TASK_STATE_PAUSED"), artifact({"text": "Hi."}), DONE)
    assert (reply.text, reply.violations) == ("Hi.", ("the state 'paused' is not one of A2A's",))
    assert [piece.where for piece in reply.unread] == ["a status in the unknown state 'paused'"]


def test_usage_is_summed_over_the_model_calls_of_adk() -> None:
    def used(event_id: str) -> dict[str, Any]:
        counts = {"promptTokenCount": 11.0, "candidatesTokenCount": 5.0}
        return status(WORKING, metadata={"adk_event_id": event_id, "adk_usage_metadata": counts})

    usage = _reply(used("1"), used("1"), used("2"), DONE).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (22, 10)


def test_an_answer_without_anything_is_silent() -> None:
    reply = _reply(DONE)
    assert reply.is_silent
    assert reply.data is UNSET


def _next_turn(first: list[dict[str, Any]], second: list[dict[str, Any]], tasks: tuple[str, str]) -> AgentReply:
    known: dict[str, tuple[str, str]] = {}
    reply = AgentReply()
    for events, task_id in ((first, tasks[0]), (second, tasks[1])):
        reading = TaskReading(known)
        reading.task_id = task_id
        for event in events:
            reading.take(event, 0.0, streamed=True)
        reading.task_id = task_id
        reply = reply_of(reading, answer_in(reading))
        known |= reading.said_artifacts()
    return reply


def test_an_artifact_that_is_told_again_is_no_answer_but_other_words_under_its_id_are() -> None:
    said = [artifact({"text": "Hello."}), DONE]
    assert _next_turn(said, said, ("t1", "t1")).text == ""
    assert _next_turn(said, said, ("t1", "t2")).text == "Hello."
    assert _next_turn(said, [artifact({"text": "I deleted it."}), DONE], ("t1", "t1")).text == "I deleted it."


def test_calls_in_a_json_file_are_unread() -> None:
    told = base64.b64encode(json.dumps({"tool_calls": [{"name": "delete_order", "args": {}}]}).encode()).decode()
    file = {"raw": told, "filename": "log.json", "mediaType": "application/json"}
    reply = _reply(artifact({"text": "Here."}, file), DONE)
    assert any(piece.may_hold == "call" for piece in reply.unread)
