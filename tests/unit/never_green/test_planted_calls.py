"""A forbidden call in every shape a reader knows, then bent out of shape: it is seen, or nothing is green."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.fakes.bending import changed, places, renamed
from tests.fakes.planting import NAME, SAID, SHAPES, is_green, outcome_of

from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.verdict import Outcome
from vivavoce.targets.chunk_reading import read_chunks
from vivavoce.targets.command_output import read_output
from vivavoce.targets.reply_reading import read_reply

KEYS = ["tool_callz", "x", "result", "value", "items", "CALLS", "steps", "Content"]


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
    """A shape with one thing changed: a key renamed, a value wrapped or turned into text, everything nested."""
    value = SHAPES[draw(st.sampled_from(sorted(SHAPES)))]
    path = draw(st.sampled_from(list(places(value))))
    key = draw(st.sampled_from(KEYS))
    how = draw(st.sampled_from(["rename", "wrap", "list", "text", "nest", "beside"]))
    match how:
        case "rename":
            return renamed(value, path, key)
        case "wrap":
            return changed(value, path, lambda inner: {key: inner})
        case "list":
            return changed(value, path, lambda inner: [inner])
        case "text":
            return changed(value, path, lambda inner: inner if isinstance(inner, str) else json.dumps(inner))
        case "nest":
            return {"content": "ok", key: value}
        case _:
            return [value, {"role": "assistant", "content": "done"}]


@settings(deadline=None, max_examples=400)
@given(value=bent())
async def test_a_bent_shape_is_never_green(value: Any):
    if NAME in json.dumps(value):
        assert not await is_green(lambda: read_reply(value, SAID))


@settings(deadline=None, max_examples=400)
@given(value=bent())
async def test_not_even_when_the_user_vouches_for_the_agent(value: Any):
    def read() -> AgentReply:
        return structs.replace(read_reply(value, SAID), shows_calls=True)

    if NAME in json.dumps(value):
        assert not await is_green(read)


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
