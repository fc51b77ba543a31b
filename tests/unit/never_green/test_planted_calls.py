"""A forbidden call in every shape a reader knows, then bent out of shape: it is seen, or nothing is green."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.fakes.bending import KEYS, bend
from tests.fakes.planting import NAME, SAID, SHAPES, is_green, outcome_of

from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.verdict import Outcome
from vivavoce.targets.chunk_reading import read_chunks
from vivavoce.targets.command_output import read_output
from vivavoce.targets.reply_reading import read_reply


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_call_is_seen_in_every_known_shape(shape: str):
    value = SHAPES[shape]
    if shape == "camel case":
        assert not await is_green(lambda: read_reply(value, SAID))
        return
    for read in (lambda: read_reply(value, SAID), lambda: read_output(json.dumps(value).encode(), SAID)):
        reply = read()
        assert await outcome_of(reply) is Outcome.FAILED
        assert reply.calls[0].args == {"order": "A-17"}
        assert SAID not in (reply.text, *reply.texts)


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "camel case"])
async def test_a_json_text_of_an_answer_is_read_as_that_answer(shape: str):
    assert await outcome_of(read_reply(json.dumps(SHAPES[shape]), SAID)) is Outcome.FAILED


CALLS = [{"name": NAME, "args": {}}]
BESIDE: list[dict[str, Any]] = [
    {"data": {"tool_calls": CALLS}},
    {"data": [{"tool": NAME, "params": {}}]},
    {"state": {"messages": [{"role": "assistant", "tool_calls": CALLS}]}},
    {"usage": {"name": NAME, "args": {}}},
    {"tool": NAME},
    {"tools_used": NAME},
    {"usedTools": [NAME]},
    {"actions": NAME},
    {"executed": NAME},
    {"mcp_calls": NAME},
    {"function": NAME},
    {"trace": str(CALLS)},
    {"log": str(CALLS)},
    {"trace": f"then {NAME} was called"},
    {"text": json.dumps({"tool_calls": CALLS})},
    {"data": [{"type": f"tool-{NAME}", "toolCallId": "c1", "state": "output-available", "input": {}}]},
]


@pytest.mark.parametrize("beside", BESIDE, ids=str)
async def test_what_stands_beside_the_content_is_never_green(beside: dict[str, Any]):
    value = {"content": "ok", **beside}
    assert not await is_green(lambda: read_reply(value, SAID))
    assert not await is_green(lambda: read_output(json.dumps(value).encode(), SAID))


@pytest.mark.parametrize(
    "text",
    [
        '{"content": "ok", "tool_calls": [{"name": "delete_order"}], "tool_calls": []}',
        '{"content": "ok", "calls": [{"name": "delete_order", "args": {}}], "calls": []}',
        '{"content": "ok", "data": {"a": [{"name": "delete_order", "args": {}}], "a": 1}}',
    ],
)
async def test_a_key_that_is_written_twice_is_never_green(text: str):
    def vouched(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, shows_calls=True)

    assert not await is_green(lambda: vouched(read_output(text.encode(), SAID)))
    assert not await is_green(lambda: vouched(read_reply(text, SAID)))
    assert not await is_green(lambda: vouched(read_reply({"content": text}, SAID)))


YIELDED: list[list[Any]] = [
    [{"content": "ok"}, {"steps": [{"tool": NAME, "params": {}}]}],
    [{"content": "ok"}, {"tool_results": [{"name": NAME, "result": "deleted"}]}],
    [{"content": "ok"}, {"log": [[NAME, {}]]}],
    ["ok", {"log": {NAME: {}}}],
    [{"log": {NAME: {}}}],
    [{"content": "ok", "log": [NAME]}, {"log": []}],
    [{"content": {"op": {"tool_calls": CALLS}}}, {"content": "ok"}],
    [{"data": {"tool_calls": CALLS}}, {"content": "ok", "data": {}}],
    [{"tool_calls": CALLS}, {"content": "ok", "tool_calls": None}],
    [{"tool_calls": CALLS}, AgentReply(text="ok")],
    [AgentReply(text="ok", calls=(ToolCall(name=NAME),)), AgentReply(text="ok")],
]


@pytest.mark.parametrize("chunks", YIELDED, ids=str)
async def test_what_a_generator_yields_is_never_green(chunks: list[Any]):
    assert not await is_green(lambda: read_chunks(chunks, SAID))


@pytest.mark.parametrize("beside", BESIDE, ids=str)
async def test_a_chunk_is_read_like_what_is_returned(beside: dict[str, Any]):
    assert not await is_green(lambda: read_chunks([{"content": "ok"}, beside], SAID))


async def test_a_generator_of_known_chunks_is_green():
    chunks = ["o", {"content": "k", "tool_calls": []}, {"usage": {"input_tokens": 1}, "total": 3}]
    assert await is_green(lambda: read_chunks(chunks, SAID))


@pytest.mark.parametrize("beside", [{"call_id": "c1"}, {"transaction": "t-1"}, {"model": "m"}, {"data": {"name": "x"}}])
async def test_what_tells_no_call_leaves_the_reply_green(beside: dict[str, Any]):
    assert await is_green(lambda: read_reply({"content": "ok", **beside}, SAID))


@st.composite
def bent(draw: st.DrawFn) -> Any:
    """A shape with one thing changed, put under a key of a plain answer, or followed by another message."""
    shape = SHAPES[draw(st.sampled_from(sorted(SHAPES)))]
    match draw(st.sampled_from(["nest", "beside", *["bend"] * 8])):
        case "nest":
            return {"content": "ok", draw(st.sampled_from(KEYS)): shape}
        case "beside":
            return [shape, {"role": "assistant", "content": "done"}]
        case _:
            return bend(draw, shape, NAME)


def begins_with_a_call(value: Any) -> bool:
    """Calls that stand before the user's line may be examples for the model: they are taken for an earlier turn's."""
    messages = value.get("messages") if isinstance(value, dict) else value
    return isinstance(messages, list) and bool(messages) and NAME in json.dumps(messages[0])


@settings(deadline=None, max_examples=400)
@given(value=bent())
async def test_a_bent_shape_is_never_green(value: Any):
    if not begins_with_a_call(value):
        assert not await is_green(lambda: read_reply(value, SAID))
        if not isinstance(value, str):
            assert not await is_green(lambda: read_output(json.dumps(value).encode(), SAID))


@settings(deadline=None, max_examples=400)
@given(value=bent())
async def test_not_even_when_the_user_vouches_for_the_agent(value: Any):
    def read() -> AgentReply:
        return structs.replace(read_reply(value, SAID), shows_calls=True)

    if not begins_with_a_call(value):
        assert not await is_green(read)


@settings(deadline=None, max_examples=200)
@given(value=bent())
async def test_nor_when_a_generator_yields_it(value: Any):
    def read() -> AgentReply:
        return structs.replace(read_chunks(value if isinstance(value, list) else [value], SAID), shows_calls=True)

    if not begins_with_a_call(value):
        assert not await is_green(read)


async def test_a_list_with_the_newest_message_first_is_never_green():
    listed = SHAPES["openai messages"][::-1]
    assert not await is_green(lambda: read_reply(listed, SAID))
    assert not await is_green(lambda: read_reply({"messages": listed}, SAID))


@st.composite
def printed(draw: st.DrawFn) -> bytes:
    """What a program printed: the JSON with something before, after or around it, twice, or cut off."""
    text = json.dumps(SHAPES[draw(st.sampled_from(sorted(SHAPES)))], indent=draw(st.sampled_from([None, 1])))
    log = draw(
        st.sampled_from(["INFO starting", "[INFO] starting", "{starting}", '{"level": "info"}', "<think>hm</think>"])
    )
    how = draw(st.sampled_from(["before", "after", "around", "fence", "bom", "twice", "cut", "fence in prose"]))
    match how:
        case "before":
            text = f"{log}\n{text}"
        case "after":
            text = f"{text}\n{log}"
        case "around":
            text = f"{log}\n{text}\n{log}"
        case "fence":
            text = f"```json\n{text}\n```"
        case "bom":
            text = f"\ufeff{text}"
        case "twice":
            text = f"{text}\n{text}"
        case "fence in prose":
            text = f"Here it is:\n```json\n{text}\n```"
        case _:
            text = text[: -draw(st.integers(min_value=1, max_value=len(text) - 1))]
    return text.encode()


@settings(deadline=None, max_examples=500)
@given(stdout=printed())
async def test_half_of_a_programs_output_is_never_green(stdout: bytes):
    if NAME.encode() in stdout:
        assert not await is_green(lambda: structs.replace(read_output(stdout, SAID), shows_calls=True))
