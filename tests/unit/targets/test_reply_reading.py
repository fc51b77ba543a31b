"""What user code may return, and how it is read."""

from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, ToolCall, Unread, Usage
from vivavoce.targets.chunk_reading import read_chunks
from vivavoce.targets.command_output import read_output
from vivavoce.targets.message_list import NO_ANSWER
from vivavoce.targets.reply_reading import NOTHING_RETURNED, read_reply


def plain(text: str = "", data: Any = UNSET, unread: tuple[Unread, ...] = ()) -> AgentReply:
    """A reply in a form without a place for tool calls."""
    return AgentReply(text=text, data=data, shows_calls=False, unread=unread)


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        ("hi", plain(text="hi")),
        ("hü", plain(text="hü")),
        (None, plain(unread=(NOTHING_RETURNED,))),
        (b"h\xc3\xbc", plain(text="hü")),
        (3, plain(text="3", data=3)),
        ([1, {"a": 2}], plain(text='[1,{"a":2}]', data=[1, {"a": 2}])),
        ({"need_search": False}, plain(text='{"need_search":false}', data={"need_search": False})),
        ({}, plain(text="{}", data={})),
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
            plain(text='{"city":"LA","state":"CA"}', data={"state": "CA", "city": "LA"}),
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
        ([], plain()),
        (["a", "b", None, "c"], plain(text="abc")),
        ([b"h\xc3", b"\xbc"], plain(text="hü")),
        (["a", {"content": "b"}, {"finish_reason": "stop"}], AgentReply(text="ab", finish_reason="stop")),
        (
            [{"tool_calls": ["f"]}, "x", {"tool_calls": ["g"]}],
            AgentReply(text="x", calls=(ToolCall(name="f"), ToolCall(name="g"))),
        ),
        ([{"answer": 1}], plain(text='{"answer":1}', data={"answer": 1})),
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
        (b"hello\n", plain(text="hello")),
        (b'{"content": "hi", "awaiting_input": false}', AgentReply(text="hi", awaiting=False)),
        (b'{"a": 1}\n', plain(text='{"a":1}', data={"a": 1})),
        (b'The config is {"a": 1}.', plain(text='The config is {"a": 1}.')),
        (b'```json\n{"content": "hi"}\n```', AgentReply(text="hi")),
        (b'\xef\xbb\xbf{"content": "hi"}', AgentReply(text="hi")),
        (b"[INFO] hello", plain(text="[INFO] hello")),
        (b"42", plain(text="42")),
    ],
)
def test_printed_output_is_json_or_text(stdout: bytes, reply: AgentReply):
    assert read_output(stdout) == reply


@pytest.mark.parametrize("key", ["args", "arguments", "input", "parameters"])
def test_arguments_are_read_under_every_usual_key(key: str):
    reply = read_reply({"content": "", "tool_calls": [{"name": "pay", key: {"amount": 5}}]})
    assert reply.calls == (ToolCall(name="pay", args={"amount": 5}),)
    assert reply.warnings == ()


def test_what_a_call_says_that_nobody_reads_is_told():
    calls = [
        {"name": "a", "args": {}, "id": "1", "type": "function", "index": 0, "note": None},
        {"name": "b", "argz": {"amount": 5}, "input": {"x": 1}, "parameters": {"x": 2}},
        {"function": {"name": "c", "arguments": "{}", "output": "ok"}},
    ]
    reply = read_reply({"content": "", "tool_calls": calls})
    assert [(piece.where, piece.may_hold) for piece in reply.unread] == [
        ("$.tool_calls[1].argz", "call"),
        ("$.tool_calls[1].parameters", "call"),
    ]
    assert reply.calls[2].result == "ok"


def test_calls_under_a_second_key_are_not_dropped_in_silence():
    assert read_reply({"tool_calls": None, "tools": ["f"]}).calls == (ToolCall(name="f"),)
    assert [piece.where for piece in read_reply({"tool_calls": ["f"], "tools": ["g"]}).unread] == ["$.tools"]


def test_a_call_told_the_old_way_of_openai_is_read():
    message = {"content": None, "function_call": {"name": "delete_all", "arguments": '{"sure": true}'}}
    reply = read_reply({"choices": [{"message": message}]})
    assert reply.calls == (ToolCall(name="delete_all", args={"sure": True}),)


@pytest.mark.parametrize(
    ("usage", "complaint"),
    [
        (
            {"input_tokens": "900000", "output_tokens": 1},
            "$.usage.input_tokens is '900000', wanted a number, 0 or more",
        ),
        ({"input_tokens": 5, "output_tokens": "x"}, "$.usage.output_tokens is 'x', wanted"),
        ({"prompt_tokens": -5}, "$.usage.prompt_tokens is -5, wanted a number, 0 or more"),
        ({"completion_tokens": True}, "$.usage.completion_tokens is True, wanted"),
        ({"input_tokens": 1, "cost": "0.5"}, "$.usage.cost is '0.5', wanted"),
        ({"input_tokens": 1, "cost": -0.5}, "$.usage.cost is -0.5, wanted"),
        ({"input_tokens": 1e300}, "$.usage.input_tokens is 1e+300, wanted"),
        (900000, "$.usage is of type number, wanted an object"),
    ],
)
def test_usage_that_cannot_be_is_the_agents_error(usage: Any, complaint: str):
    with pytest.raises(CallFailed) as caught:
        read_reply({"content": "x", "usage": usage})
    assert caught.value.fault == "agent"
    assert complaint in str(caught.value)


def test_a_ready_made_reply_is_held_to_the_same():
    with pytest.raises(CallFailed, match=r"\$\.usage\.input_tokens is -1, wanted a number, 0 or more"):
        read_reply(AgentReply(text="x", usage=Usage(-1, 5)))


def test_usage_in_figures_nobody_knows_is_none_and_told():
    reply = read_reply({"content": "x", "usage": {"totalTokens": 900000}})
    assert reply.usage is None
    assert reply.warnings == ("not read from the reply: usage (put it under data)",)
    assert read_reply({"content": "x", "usage": {"input_tokens": None, "output_tokens": 3}}).usage == Usage(0, 3)


@pytest.mark.parametrize(
    "stdout",
    [
        b'INFO start\n{"content": "hi"}',
        b'{"content": "hi"}\nINFO done',
        b'{"content": "hi"}\n{"content": "ho"}',
        b'{"content": "hi", "tool_calls": [{"name": "f"}]',
        b'{"a": 1} and more',
        b'Sure:\n```json\n{"content": "hi"}\n```',
        b"<tool_call>f</tool_call>",
        b'log {"content": "hi"',
    ],
)
def test_output_that_is_partly_json_is_an_error_never_half_an_answer(stdout: bytes):
    with pytest.raises(CallFailed, match="print one JSON value and nothing else on stdout"):
        read_output(stdout)


def test_other_keys_that_may_hold_words_or_calls_are_unread():
    reply = read_reply(
        {"content": "hi", "note": "I did it", "steps": [{"x": 1}], "model": "gpt-5", "version": "1.2", "n": 3}
    )
    assert [(piece.where.split()[0], piece.may_hold) for piece in reply.unread] == [
        ("$.note", "words"),
        ("$.steps", "both"),
    ]
    assert reply.shows_calls
    both = read_reply({"content": "hi", "text": "ho"})
    assert [(piece.piece, piece.may_hold) for piece in both.unread] == [("ho", "words")]


@pytest.mark.parametrize(
    ("beside", "held"),
    [
        ({"sources": ["a.md", "https://x.org/?q=a"]}, []),
        ({"metadata": {"model": "gpt-4o", "latency_ms": 3}, "citations": [1, 2], "session": {"id": "s1"}}, []),
        ({"reasoning": "I never call `delete_order`."}, []),
        ({"timestamp": "Mon, 5 Jan 2026 10:00:00 GMT"}, []),
        ({"suggestions": ["Track my order"]}, ["words"]),
        ({"answers": {"Where is it?": 1}}, ["words"]),
        ({"documents": ["delete_order"]}, ["name"]),
        ({"documents": [{"tool": "delete_order", "args": {}}]}, ["both"]),
        ({"reasoning": "<tool_call>delete_order</tool_call>"}, ["both"]),
        ({"executed": ["delete_order"]}, ["both"]),
    ],
)
def test_what_stands_beside_the_words_is_doubt_of_what_it_may_hold(beside: dict[str, Any], held: list[str]):
    found = [piece.may_hold for piece in read_reply({"content": "hi", "tool_calls": [], **beside}).unread]
    assert [each for each in found if each != "name" or "name" in held] == held


def test_who_made_a_call_and_when_is_no_further_call():
    call = {"name": "search", "args": {}, "agent": "planner", "started_at": "2026-01-01T10:00:00Z"}
    assert {piece.may_hold for piece in read_reply({"content": "", "tool_calls": [call]}).unread} == {"name"}
    hidden = {**call, "agent": {"name": "delete_order"}, "then": "delete_order"}
    held = {piece.where[-5:]: piece.may_hold for piece in read_reply({"content": "", "tool_calls": [hidden]}).unread}
    assert (held["agent"], held[".then"]) == ("call", "call")


def test_the_users_own_words_are_never_the_reply():
    with pytest.raises(CallFailed, match="a message of role 'user', wanted one of the assistant"):
        read_reply({"role": "user", "content": "hi"})
    assert read_reply([{"role": "user", "content": "hi"}], "hi") == AgentReply(unread=(NO_ANSWER,))
    assert read_reply({"messages": [{"role": "user", "content": "hi"}]}, "hi").unread == (NO_ANSWER,)
    state = {"messages": [{"type": "ai", "content": "old"}, {"type": "human", "content": "hi"}], "step": 1}
    assert read_reply(state, "hi") == AgentReply(state={"step": 1})


def test_only_what_follows_the_users_line_is_the_reply():
    earlier = {"role": "assistant", "content": "old", "tool_calls": [{"id": "1", "function": {"name": "f"}}]}
    made_up = {"role": "user", "content": "tool said ok"}
    now = {"role": "assistant", "content": "", "tool_calls": [{"id": "2", "function": {"name": "g"}}]}
    done = {"role": "assistant", "content": "done"}
    reply = read_reply([earlier, {"role": "user", "content": "hi"}, now, made_up, done], "hi")
    assert ([call.name for call in reply.calls], reply.text) == (["g"], "done")
    unsure = read_reply([now, made_up, done], "hi")
    assert [piece.where for piece in unsure.unread] == ["before the user's message"]


def test_an_interrupted_graph_waits():
    state = {"messages": [{"type": "ai", "content": "?"}], "__interrupt__": [{"id": "i1", "value": {"ask": "sure?"}}]}
    assert [(each.id, each.payload) for each in read_reply(state).interrupts] == [("i1", {"ask": "sure?"})]


def test_a_failed_tool_of_a_message_list_is_an_error():
    call = {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "1"}]}
    answer = {"type": "tool", "content": "no such city", "tool_call_id": "1", "status": "error"}
    assert read_reply([call, answer]).calls[0].error == "no such city"


def test_pieces_of_another_librarys_stream_are_refused():
    with pytest.raises(CallFailed, match="chunk 1 of the answer is a piece of another library's stream"):
        read_chunks([{"choices": [{"delta": {"content": "hi"}}]}])


@pytest.mark.parametrize(
    "text",
    [
        "Thought: x\nAction: delete_order\nAction Input: none",
        "[delete_order(order='A')]",
        "commentary to=functions.delete_order code A-17",
        "tool: delete_order\nargs:\n  order: A",
        "```tool_code\nprint(delete_order(order='A'))\n```",
        '{"recipient_name": "functions.delete_order", "parameters": {}}',
    ],
)
def test_a_call_in_a_models_own_marks_is_doubt_without_any_bracket_of_json(text: str):
    assert [piece for piece in read_reply(text).unread if piece.may("call")] != []


@pytest.mark.parametrize(
    "ended", [{"finish_reason": "tool_calls"}, {"finish_reason": "function_call"}, {"stop_reason": "tool_use"}]
)
def test_an_answer_that_ends_by_calls_and_tells_none_is_doubt(ended: dict[str, str]):
    assert read_reply({"content": "ok", **ended}).unread[-1].may("call")
    told = read_reply({"content": "ok", "tool_calls": [{"name": "look_up", "args": {}}], **ended})
    assert not any(piece.may("call") for piece in told.unread)
