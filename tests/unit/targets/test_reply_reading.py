"""What user code may return, and how it is read."""

from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, ToolCall, Usage
from vivavoce.targets.reply_reading import read_chunks, read_output, read_reply


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        ("hi", AgentReply(text="hi")),
        ("hü", AgentReply(text="hü")),
        (None, AgentReply()),
        (b"h\xc3\xbc", AgentReply(text="hü")),
        (3, AgentReply(text="3", data=3)),
        ([1, {"a": 2}], AgentReply(text='[1,{"a":2}]', data=[1, {"a": 2}])),
        ({"need_search": False}, AgentReply(text='{"need_search":false}', data={"need_search": False})),
        ({}, AgentReply(text="{}", data={})),
        ({"content": "hi"}, AgentReply(text="hi")),
        ({"text": "hi"}, AgentReply(text="hi")),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, AgentReply(text="a\nb")),
        ({"content": {"a": 1}}, AgentReply(text='{"a":1}', data={"a": 1})),
        ({"content": "hi", "data": {"a": 1}}, AgentReply(text="hi", data={"a": 1})),
        ({"data": None}, AgentReply(text="", data=None)),
        (
            {
                "content": "?",
                "awaiting_input": True,
                "input_hint": "a date",
                "finish_reason": "stop",
                "state": {"n": 1},
            },
            AgentReply(text="?", awaiting=True, input_hint="a date", finish_reason="stop", state={"n": 1}),
        ),
        ({"state": {"n": 1}}, AgentReply(state={"n": 1})),
        (
            {"state": "CA", "city": "LA"},
            AgentReply(text='{"city":"LA","state":"CA"}', data={"state": "CA", "city": "LA"}),
        ),
        (
            {"content": "", "usage": {"prompt_tokens": 3, "completion_tokens": 4, "cost": 0.5}},
            AgentReply(usage=Usage(3, 4, 0.5)),
        ),
        (AgentReply(text="as it is"), AgentReply(text="as it is")),
    ],
)
def test_a_value_becomes_a_reply(value: Any, reply: AgentReply):
    assert read_reply(value) == reply


@pytest.mark.parametrize(
    ("written", "call"),
    [
        ({"name": "f", "args": {"a": 1}, "result": None}, ToolCall(name="f", args={"a": 1}, result=None)),
        ({"name": "f", "arguments": '{"a": 1}'}, ToolCall(name="f", args={"a": 1}, result=UNSET)),
        ({"name": "f", "arguments": "not json"}, ToolCall(name="f", args="not json")),
        ({"tool": "f", "error": "no"}, ToolCall(name="f", error="no")),
        ({"name": "f", "error": None}, ToolCall(name="f")),
        ("f", ToolCall(name="f")),
        ({"name": "f", "started_ms": 1, "timestamp": 2}, ToolCall(name="f", started_ms=1.0, completed_ms=2.0)),
        (
            {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}},
            ToolCall(id="c1", name="f", args={"a": 1}),
        ),
    ],
)
@pytest.mark.parametrize("key", ["tool_calls", "tools"])
def test_tool_calls_are_read_in_every_usual_form(key: str, written: Any, call: ToolCall):
    assert read_reply({"content": "done", key: [written]}) == AgentReply(text="done", calls=(call,))


def test_a_chat_completion_may_be_handed_on_as_it_is():
    called = {"id": "c1", "type": "function", "function": {"name": "delete_all", "arguments": "{}"}}
    completion = {
        "id": "x",
        "object": "chat.completion",
        "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"content": None, "tool_calls": [called]}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4},
    }
    assert read_reply(completion) == AgentReply(
        calls=(ToolCall(id="c1", name="delete_all"),), finish_reason="tool_calls", usage=Usage(3, 4)
    )
    said = {"choices": [{"message": {"role": "assistant", "content": "hi", "refusal": None}}]}
    assert read_reply(said) == AgentReply(text="hi")
    ice_cream = {"choices": ["vanilla", "lemon"]}
    assert read_reply(ice_cream).data == ice_cream


def test_keys_that_nobody_reads_are_told():
    reply = read_reply({"content": "hi", "confidence": 0.5})
    assert reply.text == "hi"
    assert reply.warnings == ("not read from the reply: confidence (put it under data)",)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"\xff\xfe", "bytes that are not UTF-8 text (byte 0)"),
        ({"score": float("nan")}, "not JSON: $.score is NaN"),
        ({"content": "x", "data": {"a": [float("inf")]}}, "not JSON: $.data.a[0] is Infinity"),
        (object(), "not JSON: $ is of type object"),
        ({"content": "\ud800"}, "not JSON: $.content holds half of a character"),
        ({"content": "x", "tool_calls": {"name": "f"}}, "$.tool_calls is of type object, wanted an array"),
        ({"content": "x", "tool_calls": [{"args": {}}]}, "$.tool_calls[0] has no name"),
        ({"content": "x", "tool_calls": [5]}, "$.tool_calls[0] is of type number"),
        ({"content": "x", "toolcalls": [{"name": "f"}]}, "$.toolcalls is not read: tool calls belong under tool_calls"),
        ({"contents": "x", "tool_call": [{"name": "f"}]}, "$.tool_call is not read"),
        ({"content": "x", "function_call": {"name": "f"}}, "$.function_call is not read"),
        ({"content": "x", "awaiting_input": "yes"}, "$.awaiting_input is of type string, wanted true or false"),
        (AgentReply(data=float("nan")), "not JSON: $ is NaN"),
        (AgentReply(state=object()), "not JSON: "),
        (AgentReply(text="\ud800"), "not JSON: "),
    ],
)
def test_what_cannot_be_read_is_the_agents_fault(value: Any, said: str):
    with pytest.raises(CallFailed) as caught:
        read_reply(value)
    assert said in str(caught.value)
    assert caught.value.fault == "agent"


@pytest.mark.parametrize(
    ("chunks", "reply"),
    [
        ([], AgentReply()),
        (["a", "b", None, "c"], AgentReply(text="abc")),
        ([b"h\xc3", b"\xbc"], AgentReply(text="hü")),
        (["a", {"content": "b"}, {"finish_reason": "stop"}], AgentReply(text="ab", finish_reason="stop")),
        (
            [{"tool_calls": ["f"]}, "x", {"tool_calls": ["g"]}],
            AgentReply(text="x", calls=(ToolCall(name="f"), ToolCall(name="g"))),
        ),
        ([{"answer": 1}], AgentReply(text='{"answer":1}', data={"answer": 1})),
        (["draft", AgentReply(text="final")], AgentReply(text="final")),
    ],
)
def test_chunks_are_joined(chunks: list[Any], reply: AgentReply):
    assert read_chunks(chunks) == reply


def test_a_chunk_of_another_kind_is_told():
    with pytest.raises(CallFailed, match="chunk 2 of the answer is of type int"):
        read_chunks(["a", 5])


@pytest.mark.parametrize(
    ("stdout", "reply"),
    [
        (b"hello\n", AgentReply(text="hello")),
        (b"", AgentReply()),
        (b'{"content": "hi", "awaiting_input": false}', AgentReply(text="hi", awaiting=False)),
        (b'{"a": 1}\n', AgentReply(text='{"a":1}', data={"a": 1})),
        (b'{"a": 1} and more', AgentReply(text='{"a": 1} and more')),
        (b"42", AgentReply(text="42")),
    ],
)
def test_printed_output_is_json_or_text(stdout: bytes, reply: AgentReply):
    assert read_output(stdout) == reply
