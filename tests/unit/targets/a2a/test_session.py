"""Conversations with an A2A server: contexts, tasks that wait, tasks that end badly, streams that break."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.fakes.a2a_server import (
    CONTEXT,
    TASK,
    Asked,
    a2a_server,
    artifact,
    card_for,
    echo,
    hang,
    of_agent,
    says,
    status,
    task,
)
from tests.fakes.a2a_talk import a2a_talk

from vivavoce.errors import CallFailed
from vivavoce.model.case import CallOptions, ResumeAnswer
from vivavoce.model.message import AgentReply, ExchangeStatus, Message

Event = dict[str, Any]
DONE = status("TASK_STATE_COMPLETED")


async def _answer(*events: Event, **config: Any) -> AgentReply:
    async with a2a_server(says(*events)) as server, a2a_talk(server.url, **config) as talk:
        return await talk.say("hello")


# ── several turns ──


async def test_the_context_is_kept_and_a_finished_task_is_not_spoken_to_again() -> None:
    events = (task("SUBMITTED"), artifact({"text": "Hi."}), DONE)
    async with a2a_server(says(*events)) as server, a2a_talk(server.url) as talk:
        await talk.say("one")
        await talk.say("two")
    first, second = (asked.message for asked in server.asked)
    assert not {"contextId", "taskId"} & first.keys()
    assert second["contextId"] == CONTEXT
    assert "taskId" not in second
    assert first["messageId"] != second["messageId"]


async def test_the_thread_of_a_case_is_the_context_it_begins_with() -> None:
    thread = {"context": {"thread_id": "c-${N}"}, "variables": {"N": "7"}}
    async with a2a_server(echo) as server, a2a_talk(server.url, **thread) as talk:
        await talk.say("hello")
    assert server.asked[0].message["contextId"] == "c-7"


async def test_a_question_in_words_is_answered_by_the_next_line() -> None:
    async def ask(asked: Asked) -> AsyncIterator[Event]:
        if "taskId" in asked.message:
            yield artifact({"text": f"Booked: {asked.text}."})
            yield DONE
        else:
            yield task("INPUT_REQUIRED", message=of_agent({"text": "Where to?"}))

    async with a2a_server(ask) as server, a2a_talk(server.url) as talk:
        asked = await talk.say("book a flight")
        answered = await talk.say("Rome")
    assert (asked.text, asked.awaiting, asked.input_hint, asked.status) == (
        "Where to?",
        True,
        "Where to?",
        ExchangeStatus.SUCCESS,
    )
    assert server.asked[1].message["taskId"] == TASK
    assert (answered.text, answered.awaiting) == ("Booked: Rome.", None)


async def test_a_login_is_something_the_agent_waits_for() -> None:
    reply = await _answer(status("TASK_STATE_AUTH_REQUIRED", of_agent({"text": "Log in."}, {"data": {"url": "u"}})))
    assert (reply.text, reply.awaiting, reply.finish_reason) == ("Log in.", True, "auth-required")
    assert reply.output == "Log in."
    assert reply.state == {"task_state": "auth-required", "data": [{"url": "u"}]}


def _approval(**more: Any) -> Event:
    part = {"data": {"interrupts": [{"interruptId": "i1", "name": "approval", "reason": {"amount": 10}}]}}
    return status("input-required", of_agent({"text": "Agent requires input"}, part), **more)


async def test_an_interrupt_wants_a_declared_answer_and_gets_it_as_data() -> None:
    async def pay(asked: Asked) -> AsyncIterator[Event]:
        if "taskId" not in asked.message:
            yield _approval()
        else:
            yield artifact({"text": "Paid."})
            yield DONE

    async with a2a_server(pay) as server, a2a_talk(server.url) as talk:
        asked = await talk.say("pay 10")
        unanswered = await talk.say("yes")
        answered = await talk.say("", resume=(ResumeAnswer(reason="approval", payload="yes"),))
    assert (asked.status, asked.error) == (ExchangeStatus.INTERRUPTED, None)
    assert [(each.id, each.reason) for each in asked.interrupts] == [("i1", "approval")]
    assert "is still open and no answer is declared" in (unanswered.error or "")
    assert len(server.asked) == 2
    (part,) = server.asked[1].message["parts"]
    assert part["data"] == {"interruptResponse": {"interruptId": "i1", "response": "yes"}}
    assert answered.text == "Paid."


async def test_an_answer_declared_for_the_same_turn_is_given_in_it() -> None:
    async def pay(asked: Asked) -> AsyncIterator[Event]:
        yield _approval() if "taskId" not in asked.message else artifact({"text": "Paid."})
        if "taskId" in asked.message:
            yield DONE

    async with a2a_server(pay) as server, a2a_talk(server.url) as talk:
        reply = await talk.say("pay 10", resume=(ResumeAnswer(payload=True),))
    assert (reply.text, reply.status, reply.interrupts) == ("Paid.", ExchangeStatus.SUCCESS, ())
    assert len(server.asked) == 2


async def test_an_answer_that_nothing_asked_for_is_an_error() -> None:
    async with a2a_server(echo) as server, a2a_talk(server.url) as talk:
        reply = await talk.say("hello", resume=(ResumeAnswer(tool="pay", payload=True),))
    assert reply.status is ExchangeStatus.INTERRUPTED
    assert "but the agent did not stop for that" in (reply.error or "")


async def test_what_a_simulator_says_answers_an_interrupt() -> None:
    async with a2a_server(says(_approval())) as server, a2a_talk(server.url) as talk:
        await talk.say("pay 10")
        await talk.say("yes", source="simulator")
    (part,) = server.asked[1].message["parts"]
    assert part["data"]["interruptResponse"]["response"] == "yes"


@pytest.mark.parametrize(("said", "sent"), [("yes", "yes"), ("Cancel.", "cancelled"), ('{"a": 1}', {"a": 1})])
async def test_the_answer_that_a_simulator_gives_is_understood_as_its_words_are(said: str, sent: Any) -> None:
    async with a2a_server(says(_approval())) as server, a2a_talk(server.url) as talk:
        await talk.say("pay 10")
        await talk.say(said, source="simulator", resume=(ResumeAnswer(payload=said),))
    (part,) = server.asked[1].message["parts"]
    assert part["data"]["interruptResponse"]["response"] == sent


async def test_a_history_cannot_be_given_and_is_not_dropped_in_silence() -> None:
    before = [Message(role="user", content="before")]
    async with a2a_server(echo) as server, a2a_talk(server.url, history=before) as talk:
        with pytest.raises(CallFailed, match="no way to give an agent a message history") as caught:
            await talk.say("now")
    assert caught.value.fault == "test"
    assert server.asked == []


# ── what ends badly ──


@pytest.mark.parametrize(
    ("state", "status_is", "error"),
    [
        ("FAILED", ExchangeStatus.ERROR, "the task failed: No."),
        ("REJECTED", ExchangeStatus.ERROR, "the agent rejected the task: No."),
        ("CANCELED", ExchangeStatus.CANCELLED, "the task was cancelled: No."),
    ],
)
async def test_a_task_that_ends_badly_is_what_it_says(state: str, status_is: ExchangeStatus, error: str) -> None:
    reply = await _answer(task(state, message=of_agent({"text": "No."})))
    assert (reply.status, reply.error) == (status_is, error)
    silent = await _answer(task(state))
    assert (silent.error or "").endswith("without a word why")


async def test_a_state_that_a2a_does_not_have_is_an_error_of_the_server() -> None:
    reply = await _answer(status("TASK_STATE_PAUSED"))
    assert reply.status is ExchangeStatus.PROTOCOL_ERROR
    assert reply.error == "the task is in a state that A2A does not have: 'paused'"


async def test_a_stream_that_breaks_is_cut_off_and_what_came_is_kept() -> None:
    reply = await _answer(task("WORKING"), artifact({"text": "Half of "}), {"break": True})
    assert reply.status is ExchangeStatus.TRUNCATED
    assert "the stream was cut off before the task was over" in (reply.error or "")
    assert reply.text == "Half of "


async def test_a_stream_that_ends_inside_an_event_is_cut_off() -> None:
    reply = await _answer(task("WORKING"), {"raw": 'data: {"jsonrpc": "2.0", "result": {"stat'})
    assert reply.status is ExchangeStatus.TRUNCATED
    assert "in the middle of an event" in (reply.error or "")


async def test_a_stream_without_events_is_cut_off() -> None:
    reply = await _answer({"raw": ": ping\r\n\r\n"})
    assert (reply.status, reply.text) == (ExchangeStatus.TRUNCATED, "")


async def test_what_is_not_json_in_a_stream_is_quoted() -> None:
    reply = await _answer({"raw": "data: <html>\n\n"})
    assert reply.status is ExchangeStatus.PROTOCOL_ERROR
    assert "the stream sent what is not JSON" in (reply.error or "")


async def test_an_error_in_a_stream_is_the_agents_when_it_is_internal() -> None:
    raised = await _answer(task("WORKING"), {"error": {"code": -32603, "message": "KeyError: 'x'"}})
    assert (raised.status, raised.error) == (
        ExchangeStatus.ERROR,
        "the agent answered with error -32603: KeyError: 'x'",
    )
    refused = await _answer({"error": {"code": -32602, "message": "bad params"}})
    assert refused.status is ExchangeStatus.PROTOCOL_ERROR


async def test_a_server_that_only_pings_is_given_up() -> None:
    async def ping(_: Asked) -> AsyncIterator[Event]:
        while True:
            yield {"raw": ": ping\n\n"}
            await asyncio.sleep(0.02)

    async with a2a_server(ping) as server, a2a_talk(server.url, idle_timeout="150ms") as talk:
        reply = await talk.say("hello")
    assert reply.status is ExchangeStatus.TRUNCATED
    assert "nothing came for 150ms" in (reply.error or "")


async def test_a_turn_that_took_too_long_shows_what_came() -> None:
    async def slow(asked: Asked) -> AsyncIterator[Event]:
        yield artifact({"text": "Begun."})
        async for event in hang(asked):
            yield event

    async with a2a_server(slow) as server, a2a_talk(server.url) as talk:
        turn = asyncio.create_task(talk.say("hello"))
        while talk.session.so_far().text != "Begun.":
            await asyncio.sleep(0.01)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        assert talk.session.so_far().text == "Begun."


# ── polling ──


async def test_a_task_that_still_runs_is_asked_for_until_it_is_over() -> None:
    async with a2a_server(says(task("SUBMITTED")), streaming=False) as server, a2a_talk(server.url) as talk:
        server.task = task("COMPLETED", artifacts=[{"artifactId": "a", "parts": [{"text": "Done."}]}])["task"]
        reply = await talk.say("hello")
    assert reply.text == "Done."
    assert server.asked[0].params["configuration"] == {"acceptedOutputModes": ["text/plain", "application/json"]}


async def test_a_stream_that_ends_while_the_task_runs_is_followed_by_asking_for_it() -> None:
    async with a2a_server(says(task("WORKING"))) as server, a2a_talk(server.url) as talk:
        server.task = task("COMPLETED", artifacts=[{"artifactId": "a", "parts": [{"text": "Done."}]}])["task"]
        assert (await talk.say("hello")).text == "Done."


async def test_a_stream_that_ends_too_early_is_told_when_the_task_cannot_be_asked_for() -> None:
    async with a2a_server(says(task("WORKING"))) as server, a2a_talk(server.url) as talk:
        server.task = None
        reply = await talk.say("hello")
    assert reply.status is ExchangeStatus.PROTOCOL_ERROR
    assert (reply.error or "").startswith(
        "the stream ended before the task was over, and the task cannot be asked for: the server refused GetTask"
    )


async def test_a_task_that_never_ends_is_given_up_with_the_turn() -> None:
    async with a2a_server(says(task("WORKING"))) as server, a2a_talk(server.url, turn_timeout="2s") as talk:
        server.task = task("WORKING")["task"]
        reply = await talk.say("hello")
    assert reply.status is ExchangeStatus.TRUNCATED
    assert "the turn took longer than 2s, and the task is still working" in (reply.error or "")


# ── what is sent along ──


async def test_files_metadata_and_the_connector_are_sent() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "look"}, picture]
    options = CallOptions(metadata={"order": 7}, mode="fast")
    more = {"metadata": {"tenant": "t"}, "context": {"connector": "big"}}
    async with a2a_server(echo) as server, a2a_talk(server.url, **more) as talk:
        await talk.say(content, options=options)
    (asked,) = server.asked
    assert asked.message["parts"] == [{"text": "look"}, {"raw": "AAAA", "mediaType": "image/png"}]
    assert asked.params["metadata"] == {"tenant": "t", "order": 7}
    assert (asked.headers["X-Viva-Connector"], asked.headers["X-Viva-Mode"]) == ("big", "fast")


async def test_the_same_over_http_json() -> None:
    events = (task("SUBMITTED"), artifact({"text": "Hi."}), DONE)
    async with a2a_server(says(*events)) as server:
        server.card = card_for(server.url, binding="HTTP+JSON")
        async with a2a_talk(server.url) as talk:
            assert (await talk.say("hello")).text == "Hi."
    async with a2a_server(says(task("SUBMITTED"))) as server:
        server.card = card_for(server.url, binding="HTTP+JSON", streaming=False)
        server.task = task("COMPLETED", artifacts=[{"artifactId": "a", "parts": [{"text": "Whole."}]}])["task"]
        async with a2a_talk(server.url) as talk:
            assert (await talk.say("hello")).text == "Whole."
    assert ("POST", "/rest/message:send") in server.got
    assert ("GET", f"/rest/tasks/{TASK}") in server.got
