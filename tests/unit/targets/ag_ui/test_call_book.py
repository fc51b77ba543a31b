"""Arguments and results as they are matched, and calls told more than once."""

from typing import Any

import pytest
from msgspec import UNSET
from tests.fakes.agui_server import call

from vivavoce.model.message import Message, ToolCall
from vivavoce.targets.ag_ui.call_book import read_result
from vivavoce.targets.ag_ui.turn_builder import TurnBuilder

Event = dict[str, Any]


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ('{"result": "ok"}', {"result": "ok"}),
        ("[1, 2]", [1, 2]),
        ('"quoted"', "quoted"),
        ("plain", "plain"),
        ("21", "21"),
        ("null", "null"),
        ("{'py': 'repr'}", "{'py': 'repr'}"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "text", "text": '{"n": 1}'}], {"n": 1}),
        ({"already": "decoded"}, {"already": "decoded"}),
        (None, None),
    ],
)
def test_results_are_matched_as_what_they_hold(content: Any, result: Any) -> None:
    assert read_result(content) == result


def made(*runs: list[Event], earlier: dict[str, ToolCall] | None = None) -> tuple[list[ToolCall], TurnBuilder]:
    builder = TurnBuilder(user_id="u1", user_text="go", earlier_calls=earlier)
    for number, events in enumerate(runs):
        builder.next_run(resumes=number > 0 or earlier is not None)
        for at_ms, event in enumerate(events):
            builder.handle(event["type"], event, float(at_ms))
        builder.calls.end_run()
    return [draft.as_call() for draft in builder.calls.made()], builder


def test_a_resumed_run_that_tells_a_call_again_updates_its_result() -> None:
    calls, _ = made(call("c1", "pay", '{"n": 1}'), call("c1", "pay", '{"n": 1}', "paid"))
    assert [(each.args, each.result) for each in calls] == [({"n": 1}, "paid")]


def test_a_call_that_waited_and_comes_back_with_edited_arguments_is_the_same_call() -> None:
    calls, _ = made(call("c1", "pay", '{"n": 1}'), call("c1", "pay", '{"n": 2}', "paid"))
    assert [(each.args, each.result) for each in calls] == [({"n": 1}, "paid")]


def test_another_tool_under_a_known_id_is_another_call() -> None:
    calls, _ = made([*call("c1", "look", "{}", "ok"), *call("c1", "delete", "{}")])
    assert [each.name for each in calls] == ["look", "delete"]


def test_an_id_that_is_used_again_in_a_run_is_another_call() -> None:
    calls, _ = made([*call("c1", "pay"), *call("c1", "pay"), *call("c1", "pay", "{}", "paid")])
    assert [each.result for each in calls] == [UNSET, UNSET, "paid"]


def test_an_id_of_an_earlier_turn_is_another_call_unless_the_run_answers_an_interrupt() -> None:
    builder = TurnBuilder(user_id="u1", user_text="go", earlier_calls={"c1": ToolCall(id="c1", name="pay", result=1)})
    builder.next_run()
    for event in call("c1", "pay", "{}", "paid"):
        builder.handle(event["type"], event, 0.0)
    builder.calls.end_run()
    assert [draft.name for draft in builder.calls.made()] == ["pay"]


def snapshot_of(*messages: Event) -> Event:
    return {"type": "MESSAGES_SNAPSHOT", "messages": [*messages]}


def told_call(call_id: str, name: str, arguments: str = "{}") -> Event:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


USER: Event = {"id": "u1", "role": "user", "content": "go"}


def test_a_server_whose_ids_begin_anew_shows_its_calls_in_the_snapshot() -> None:
    builder = TurnBuilder(
        user_id="u1",
        user_text="go",
        earlier_calls={"c1": ToolCall(id="c1", name="look")},
        earlier_texts={"m1": "Looked."},
        sent=[Message(role="assistant", tool_calls=[told_call("c1", "look")])],
    )
    builder.next_run()
    before = {"id": "m1", "role": "assistant", "toolCalls": [told_call("c1", "look")]}
    now = {"id": "m1", "role": "assistant", "content": "Done.", "toolCalls": [told_call("c1", "delete")]}
    for _ in range(2):
        builder.handle("MESSAGES_SNAPSHOT", snapshot_of(before, {**USER, "id": "x"}, now), 0.0)
    assert [draft.name for draft in builder.calls.made()] == ["delete"]
    assert builder.messages.texts() == ["Done."]
    assert builder.unread == []


def test_two_calls_under_one_id_in_a_snapshot_are_two() -> None:
    calls, _ = made([snapshot_of(USER, {"role": "assistant", "toolCalls": [told_call("c", "a"), told_call("c", "b")]})])
    assert [each.name for each in calls] == ["a", "b"]


def test_a_made_up_user_message_hides_nothing() -> None:
    called = {"role": "assistant", "toolCalls": [told_call("c1", "delete")]}
    calls, _ = made([snapshot_of(USER, called, {"id": "x", "role": "user", "content": "tool said ok"})])
    assert [each.name for each in calls] == ["delete"]
    unsure, builder = made([snapshot_of({**USER, "id": "y"}, called, {"id": "x", "role": "user", "content": "go"})])
    assert unsure == []
    assert [piece.where for piece in builder.unread] == ["a snapshot, before the user's message"]


def test_a_call_before_the_users_message_is_unread() -> None:
    calls, builder = made([snapshot_of({"role": "assistant", "toolCalls": [told_call("c1", "delete")]}, USER)])
    assert calls == []
    assert [piece.may_hold for piece in builder.unread] == ["call"]


@pytest.mark.parametrize("key", ["delta", "args", "arguments"])
def test_arguments_are_read_under_every_usual_key(key: str) -> None:
    start, arguments, *rest = call("c1", "pay", '{"n": 1}')
    calls, _ = made([start, {"type": "TOOL_CALL_ARGS", "toolCallId": "c1", key: arguments["delta"]}, *rest])
    assert [each.args for each in calls] == [{"n": 1}]


def test_chunks_of_a_second_call_without_an_id_or_under_the_same_one_are_another_call() -> None:
    one = {"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "look", "delta": "{}"}
    two = {"type": "TOOL_CALL_CHUNK", "toolCallName": "delete", "delta": "{}"}
    same = {**two, "toolCallId": "a"}
    for other in (two, same):
        calls, _ = made([one, other])
        assert [(each.name, each.args) for each in calls] == [("look", {}), ("delete", {})]
    named_again, _ = made([one, {**one, "delta": '{"n": 1}'}])
    assert [each.args for each in named_again] == [{}, {"n": 1}]


def test_events_nobody_knows_that_look_like_calls_are_unread() -> None:
    _, builder = made([{"type": "FUNCTION_INVOKED", "function": "delete", "arguments": {}}])
    assert [piece.may_hold for piece in builder.unread] == ["call"]


def test_a_result_of_an_earlier_turns_call_is_late_and_no_new_call() -> None:
    earlier = {"c1": ToolCall(id="c1", name="pay", args={"n": 1})}
    calls, builder = made(call("c1", "pay", '{"n": 1}', "paid"), earlier=earlier)
    assert calls == []
    assert [draft.as_call().result for draft in builder.calls.completed_late()] == ["paid"]


def test_arguments_come_from_the_snapshot_when_the_stream_had_none() -> None:
    told = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": '{"n": 1}'}}
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "a", "role": "assistant", "toolCalls": [told]}]}
    for broken in ("", '{"n": '):
        calls, _ = made([*call("c1", "pay", broken), snapshot])
        assert [each.args for each in calls] == [{"n": 1}]


def test_a_call_that_the_snapshot_tells_under_a_fresh_id_is_not_counted_twice() -> None:
    told = {"id": "fresh", "type": "function", "function": {"name": "pay", "arguments": '{"n": 1}'}}
    messages = [
        {"id": "a", "role": "assistant", "toolCalls": [told]},
        {"id": "b", "role": "tool", "toolCallId": "fresh", "content": "paid"},
    ]
    calls, _ = made([*call("c1", "pay", '{"n": 1}'), {"type": "MESSAGES_SNAPSHOT", "messages": messages}])
    assert [(each.args, each.result) for each in calls] == [({"n": 1}, "paid")]


def test_parallel_chunks_that_take_turns_are_joined_by_id() -> None:
    chunks = [("a", "one", '{"n"'), ("b", "two", '{"m"'), ("a", None, ": 1}"), ("b", None, ": 2}")]
    events = [
        {"type": "TOOL_CALL_CHUNK", "toolCallId": at, "toolCallName": name, "delta": delta}
        for at, name, delta in chunks
    ]
    calls, _ = made(events)
    assert [(each.name, each.args) for each in calls] == [("one", {"n": 1}), ("two", {"m": 2})]


def test_a_chunk_without_id_goes_on_with_the_open_call() -> None:
    events = [
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "one", "delta": '{"n"'},
        {"type": "RAW", "event": {}},
        {"type": "TOOL_CALL_CHUNK", "delta": ": 1}"},
    ]
    calls, _ = made(events)
    assert [each.args for each in calls] == [{"n": 1}]


def test_name_and_arguments_in_one_start_are_read() -> None:
    calls, _ = made([{"type": "TOOL_CALL_START", "toolCallId": "a", "toolCallName": "one", "args": {"n": 1}}])
    assert [each.args for each in calls] == [{"n": 1}]


def test_a_call_without_an_id_is_still_a_call() -> None:
    calls, _ = made(
        [{"type": "TOOL_CALL_START", "toolCallName": "delete"}, {"type": "TOOL_CALL_START", "toolCallName": "delete"}]
    )
    assert [each.name for each in calls] == ["delete", "delete"]


def test_a_whole_call_chunk_told_again_does_not_double_its_arguments() -> None:
    chunk = {"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "one", "delta": '{"n": 1}'}
    calls, _ = made([chunk, {"type": "STEP_STARTED", "stepName": "x"}, chunk])
    assert [each.args for each in calls] == [{"n": 1}, {"n": 1}]
    once, _ = made([], [chunk, {"type": "STEP_STARTED", "stepName": "x"}, chunk])
    assert [each.args for each in once] == [{"n": 1}]


def test_a_streamed_result_beats_the_snapshots() -> None:
    told = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "t", "role": "tool", "toolCallId": "c1", "content": "x"}]}
    calls, _ = made([*call("c1", "pay", "{}", "paid"), told])
    assert [each.result for each in calls] == ["paid"]
