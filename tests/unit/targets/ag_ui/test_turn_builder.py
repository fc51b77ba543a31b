"""Events put together to a turn."""

from typing import Any

import pytest
from tests.fakes.agui_server import call, text

from vivavoce.model.message import Message
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder

Event = dict[str, Any]


def built(*events: Event, **fields: Any) -> TurnBuilder:
    builder = TurnBuilder(**fields)
    for at, event in enumerate(events):
        builder.handle(event["type"], event, float(at))
    builder.end_run()
    return builder


def made(builder: TurnBuilder) -> list[tuple[str, Any]]:
    return [(draft.name, draft.args) for draft in builder.calls.made()]


def event(kind: str, **fields: Any) -> Event:
    return {"type": kind, **fields}


def test_texts_and_calls_stay_in_order():
    builder = built(*text("On it.", "m1"), *call("c1", "refund", '{"order": 7}', '"done"'), *text("Done.", "m2"))
    assert builder.messages.texts() == ["On it.", "Done."]
    assert made(builder) == [("refund", {"order": 7})]
    history = builder.messages.history(builder.calls)
    assert [message.role for message in history] == ["assistant", "assistant", "tool", "assistant"]
    assert (builder.unread, builder.problems) == ([], [])


@pytest.mark.parametrize(
    ("piece", "read"),
    [({"delta": {"a": 1}}, ['{"a":1}']), ({"delta": 5}, ["5"]), ({"content": "hi"}, ["hi"]), ({"delta": None}, [])],
)
def test_a_piece_of_text_that_is_written_oddly_is_read_all_the_same(piece: Event, read: list[str]):
    start, _, end = text("x", "m1")
    builder = built(start, event("TEXT_MESSAGE_CONTENT", messageId="m1", **piece), end)
    assert builder.messages.texts() == read


def test_chunks_without_ids_belong_to_the_one_before():
    builder = built(
        event("TEXT_MESSAGE_CHUNK", messageId="m1", delta="On "),
        event("TEXT_MESSAGE_CHUNK", delta="it."),
        event("TOOL_CALL_CHUNK", toolCallId="c1", toolCallName="refund", delta='{"order"'),
        event("TOOL_CALL_CHUNK", delta=": 7}"),
    )
    assert (builder.messages.texts(), made(builder)) == (["On it."], [("refund", {"order": 7})])


def test_a_chunk_that_names_a_tool_after_a_whole_call_is_a_second_call():
    whole = event("TOOL_CALL_CHUNK", toolCallName="refund", delta="{}")
    assert made(built({**whole, "toolCallId": "c1"}, whole)) == [("refund", {}), ("refund", {})]


def test_a_call_without_an_id_or_a_start_is_still_a_call():
    assert made(built(event("TOOL_CALL_START", toolCallName="refund"))) == [("refund", {})]
    assert len(made(built(event("TOOL_CALL_ARGS", toolCallId="c9", delta="{}")))) == 1
    assert len(made(built(event("TOOL_CALL_RESULT", toolCallId="c9", content="x")))) == 1


@pytest.mark.parametrize("kind", ["tool_call_start", "ToolCallStart"])
def test_a_misspelt_type_is_read_as_what_it_means_and_reported(kind: str):
    builder = built(event(kind, toolCallId="c1", toolCallName="refund"))
    assert [name for name, _ in made(builder)] == ["refund"]
    assert builder.problems == [f"an event of type {kind}, wanted TOOL_CALL_START"]


def test_an_unknown_type_that_names_a_tool_is_unread_and_any_other_is_only_shown():
    told = built(event("TOOL_USE", toolName="refund"))
    assert [one.may_hold for one in told.unread] == ["call"]
    other = built(event("WEATHER_CHANGED", degrees=21, timestamp=5))
    assert (other.unread, other.trace()) == ([], ({"type": "WEATHER_CHANGED", "degrees": 21, "at_ms": 0.0},))


def test_state_is_kept_and_a_change_that_does_not_apply_is_reported():
    add = [{"op": "add", "path": "/b", "value": 2}]
    builder = built(event("STATE_SNAPSHOT", snapshot={"a": 1}), event("STATE_DELTA", delta=add))
    assert (builder.state.value, builder.problems) == ({"a": 1, "b": 2}, [])
    wrong = built(event("STATE_DELTA", delta=[{"op": "remove", "path": "/none"}]), state={})
    assert len(wrong.problems) == 1


def test_a_snapshot_brings_calls_that_no_event_told():
    asked = {"id": "u1", "role": "user", "content": "go"}
    function = {"name": "refund", "arguments": '{"order": 7}'}
    answer = {"id": "m1", "role": "assistant", "toolCalls": [{"id": "c1", "type": "function", "function": function}]}
    builder = built(event("MESSAGES_SNAPSHOT", messages=[asked, answer]), user_id="u1", user_text="go")
    assert made(builder) == [("refund", {"order": 7})]


def test_a_call_before_the_users_message_that_was_never_told_is_unread():
    function = {"name": "refund", "arguments": "{}"}
    before = {"id": "m0", "role": "assistant", "toolCalls": [{"id": "c0", "type": "function", "function": function}]}
    asked = {"id": "u1", "role": "user", "content": "go"}
    snapshot = event("MESSAGES_SNAPSHOT", messages=[before, asked])
    fields: Any = {"user_id": "u1", "user_text": "go"}
    assert any("before the user's message" in one.where for one in built(snapshot, **fields).unread)
    sent = (Message(role="assistant", content="", tool_calls=[{"id": "c0", "function": function}]),)
    assert not any("before the user's message" in one.where for one in built(snapshot, sent=sent, **fields).unread)


def test_reasoning_is_one_entry_of_the_trace():
    builder = built(
        event("REASONING_MESSAGE_START", messageId="r1"),
        event("REASONING_MESSAGE_CONTENT", messageId="r1", delta="h"),
        event("REASONING_MESSAGE_CONTENT", messageId="r1", delta="m"),
    )
    assert builder.trace() == ({"type": "REASONING", "id": "r1", "at_ms": 0.0, "text": "hm"},)


def test_what_was_lost_of_the_stream_is_doubted():
    builder = TurnBuilder()
    builder.lose("half an event")
    builder.lose("half an event")
    assert builder.problems == ["half an event"]
    assert len(builder.unread) == 2
