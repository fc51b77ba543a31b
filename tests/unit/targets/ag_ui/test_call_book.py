"""Arguments and results as they are matched, and calls told more than once."""

from typing import Any

import pytest
from tests.fakes.agui_server import call

from vivavoce.model.message import ToolCall
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
    for events in runs:
        builder.next_run()
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


def test_a_call_told_three_times_is_one_call() -> None:
    calls, _ = made([*call("c1", "pay"), *call("c1", "pay"), *call("c1", "pay", "{}", "paid")])
    assert [each.result for each in calls] == ["paid"]


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
    assert [each.args for each in calls] == [{"n": 1}]


def test_a_streamed_result_beats_the_snapshots() -> None:
    told = {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "t", "role": "tool", "toolCallId": "c1", "content": "x"}]}
    calls, _ = made([*call("c1", "pay", "{}", "paid"), told])
    assert [each.result for each in calls] == ["paid"]
