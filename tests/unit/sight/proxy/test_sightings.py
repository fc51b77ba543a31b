"""What the proxy sees of a conversation: every call that a model asks for, or doubt."""

import json
from typing import Any

import pytest
from tests.fakes.planting import NAME, OPENAI_CALL, outcome_of

from vivavoce.metering.prices import PriceList
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.verdict import Outcome
from vivavoce.sight.dialects.anthropic import ANTHROPIC
from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.dialects.gemini import GEMINI
from vivavoce.sight.dialects.responses import RESPONSES
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.sightings import UNUSED, Sightings, calls_in_request

USER = {"role": "user", "content": "Please look at my order"}
PLAIN = AgentReply(text="ok", shows_calls=False)


def asked_for(name: str, call_id: str = "c1", args: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": args}}


def answer(*calls: dict[str, Any], text: str | None = None, status: int = 200, **more: Any) -> Answer:
    message = {"role": "assistant", "content": text, "tool_calls": list(calls) or None, **more}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}]}
    headers = {"content-type": "application/json"}
    return Answer(status=status, headers=headers, chunks=[(0.0, json.dumps(body).encode())], is_whole=True)


async def seen(*answers: Answer, turn: int = 1, into: Sightings | None = None) -> Sightings:
    sightings = into or Sightings(PriceList([]))
    for one in answers:
        await sightings.answer(CHAT, "m", one, turn, 1.0, "model call 1")
    return sightings


def result(call_id: str, content: str = "done") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


async def test_a_call_is_seen_with_the_result_that_a_later_request_brings():
    sightings = await seen(answer(asked_for("look", args='{"a": 1}')))
    told = {"role": "assistant", "tool_calls": [asked_for("look")]}
    sightings.request(CHAT, {"messages": [USER, told, result("c1", '{"found": 2}')]}, 1, 5.0)
    (call,) = sightings.added_to(PLAIN, 1).calls
    assert (call.name, call.args, call.result, call.completed_ms) == ("look", {"a": 1}, {"found": 2}, 5.0)


async def test_a_turn_without_a_model_call_shows_nothing():
    reply = Sightings(PriceList([])).added_to(PLAIN, 1)
    assert (reply.shows_calls, reply.not_shown) == (False, UNUSED)
    assert await outcome_of(reply) is Outcome.BROKEN


async def test_an_id_that_is_used_again_for_another_tool_is_another_call():
    sightings = await seen(answer(asked_for("look")), answer(asked_for(NAME)))
    assert await outcome_of(sightings.added_to(PLAIN, 1)) is Outcome.FAILED


async def test_an_id_that_is_used_again_is_a_new_call_with_other_arguments_after_a_result_and_in_the_next_turn():
    sightings = await seen(answer(asked_for("look", args='{"a": 1}')), answer(asked_for("look", args='{"a": 2}')))
    assert len(sightings.added_to(PLAIN, 1).calls) == 2
    sightings = await seen(answer(asked_for("look")))
    sightings.request(CHAT, {"messages": [USER, result("c1")]}, 1, 2.0)
    await seen(answer(asked_for("look")), into=sightings)
    assert len(sightings.added_to(PLAIN, 1).calls) == 2
    await seen(answer(asked_for(NAME)), answer(asked_for(NAME)), turn=2, into=sightings)
    assert [call.name for call in sightings.added_to(PLAIN, 2).calls] == [NAME]


async def test_an_answer_that_is_asked_for_once_more_is_no_second_call():
    sightings = await seen(answer(asked_for("look")), answer(asked_for("look")))
    assert len(sightings.added_to(PLAIN, 1).calls) == 1


async def test_a_provider_that_sends_the_agent_elsewhere_leaves_doubt_and_an_error_does_not():
    assert await outcome_of((await seen(answer(status=307))).added_to(PLAIN, 1)) is Outcome.BROKEN
    assert await outcome_of((await seen(answer(status=500))).added_to(PLAIN, 1)) is Outcome.PASSED


async def test_a_call_that_only_a_request_tells_is_seen_once():
    sightings = await seen(answer(text="hi"))
    told = {"role": "assistant", "content": None, "tool_calls": [asked_for(NAME, "z", '{"order": 1}')]}
    for _ in range(2):
        sightings.request(CHAT, {"messages": [USER, told, result("z", "gone")]}, 1, 2.0)
    (call,) = sightings.added_to(PLAIN, 1).calls
    assert (call.name, call.args, call.result) == (NAME, {"order": 1}, "gone")


async def test_examples_in_a_prompt_and_calls_under_another_id_are_not_counted():
    sightings = await seen(answer(asked_for("look", "server-id")))
    told = {"role": "assistant", "content": None, "tool_calls": [asked_for("look", "own-id")]}
    example = [USER, {"role": "assistant", "tool_calls": [asked_for(NAME)]}, result("c1"), {"role": "user"}]
    sightings.request(CHAT, {"messages": [*example, told, result("own-id")]}, 1, 2.0)
    assert [call.name for call in sightings.added_to(PLAIN, 1).calls] == ["look"]


SHOWS = AgentReply(text="ok", calls=(ToolCall(id="c0", name="look"),))


async def test_a_call_that_an_agent_with_its_own_list_keeps_to_itself_is_doubt_about_that_tool_only():
    reply = (await seen(answer(asked_for("look", "c0"), asked_for(NAME, "c9")))).added_to(SHOWS, 1)
    assert [call.name for call in reply.calls] == ["look"]
    assert await outcome_of(reply) is Outcome.BROKEN
    assert [piece.tool for piece in reply.unread] == [NAME]
    other = (await seen(answer(asked_for("look", "c0"), asked_for("notify", "c9")))).added_to(SHOWS, 1)
    assert await outcome_of(other) is Outcome.PASSED


async def test_the_form_of_the_last_answer_is_no_call():
    final = asked_for("final_result", "c9", '{"total": 3}')
    shows = AgentReply(text="", data={"total": 3}, calls=SHOWS.calls)
    reply = (await seen(answer(asked_for("look", "c0")), answer(final))).added_to(shows, 1)
    assert ([call.name for call in reply.calls], reply.unread) == (["look"], ())


@pytest.mark.parametrize("text", [json.dumps(OPENAI_CALL["function"]), f"<tool_call>{NAME}</tool_call>"])
async def test_a_call_in_the_models_words_is_doubt_unless_the_agent_shows_its_calls(text: str):
    sightings = await seen(answer(text=text))
    assert await outcome_of(sightings.added_to(PLAIN, 1)) is Outcome.BROKEN
    assert await outcome_of(sightings.added_to(AgentReply(text="ok"), 1)) is Outcome.PASSED


async def test_an_agent_that_reads_calls_out_of_the_models_words_is_in_doubt():
    sightings = await seen(answer(text="Thought: none"))
    sightings.request(CHAT, {"messages": [USER], "stop": ["Observation:"]}, 1, 0.0)
    assert await outcome_of(sightings.added_to(PLAIN, 1)) is Outcome.BROKEN


async def test_what_is_seen_after_a_turn_can_be_asked_for():
    sightings = await seen(answer(asked_for("look")))
    assert sightings.since(2) == []
    await seen(answer(asked_for(NAME)), turn=2, into=sightings)
    assert sightings.since(2) == [f"{NAME}()"]


SAID = {"role": "user", "content": "hi"}
USED = {"type": "tool_use", "id": "c1", "name": "refund", "input": {"n": 1}}
FUNCTION = {"name": "refund", "arguments": '{"n": 1}'}
TOLD: list[tuple[Dialect, dict[str, Any]]] = [
    (CHAT, {"messages": [SAID, {"role": "assistant", "tool_calls": [{"id": "c1", "function": FUNCTION}]}]}),
    (RESPONSES, {"input": [SAID, {"type": "function_call", "call_id": "c1", **FUNCTION}]}),
    (
        ANTHROPIC,
        {
            "messages": [
                SAID,
                {"role": "assistant", "content": [USED]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "ok"}]},
            ]
        },
    ),
    (
        GEMINI,
        {
            "contents": [
                {"role": "user", "parts": [{"text": "hi"}]},
                {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "refund", "args": {"n": 1}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "refund", "response": {}}}]},
            ]
        },
    ),
]


@pytest.mark.parametrize(("dialect", "body"), TOLD, ids=lambda one: getattr(one, "name", ""))
def test_calls_since_the_users_last_words_are_told(dialect: Dialect, body: dict[str, Any]):
    (call,) = calls_in_request(dialect, body)
    assert (call.id, call.name, call.args) == ("c1", "refund", {"n": 1})


@pytest.mark.parametrize(("dialect", "body"), TOLD, ids=lambda one: getattr(one, "name", ""))
def test_calls_before_them_are_not(dialect: Dialect, body: dict[str, Any]):
    (key,) = body
    assert calls_in_request(dialect, {key: [*body[key], body[key][0]]}) == []
    assert calls_in_request(dialect, {}) == []
