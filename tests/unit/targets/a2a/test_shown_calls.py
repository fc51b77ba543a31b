"""Tool calls in the four shapes servers show them in, and what may be one in a fifth."""

from typing import Any

from msgspec import UNSET

from vivavoce.model.message import ToolCall
from vivavoce.targets.a2a.shown_calls import ShownCalls
from vivavoce.targets.a2a.spelling import Part


def _data(value: Any, **metadata: Any) -> Part:
    return Part(kind="data", value=value, metadata=metadata)


def _rows(calls: ShownCalls) -> list[tuple[str, Any, Any]]:
    return [(call.name, call.args, call.result) for call in calls.made()]


def test_parts_of_adk_with_and_without_ids() -> None:
    calls = ShownCalls({})
    for call_id in ("c1", None):
        assert calls.take_part(_data({"id": call_id, "name": "pay", "args": {"n": 1}}, adk_type="function_call"), 1)
        assert calls.take_part(_data({"id": call_id, "name": "pay", "response": "ok"}, type="function_response"), 2)
    assert _rows(calls) == [("pay", {"n": 1}, "ok"), ("pay", {"n": 1}, "ok")]
    assert [(call.started_ms, call.completed_ms) for call in calls.made()] == [(1, 2), (1, 2)]
    assert calls.has_a_place


def test_parts_of_beeai_and_of_langgraph() -> None:
    calls = ShownCalls({})
    calls.take_part(_data({"type": "tool-call", "id": "c1", "tool_name": "find", "args": '{"q": "x"}'}), 1)
    calls.take_part(_data({"type": "tool-result", "tool_call_id": "c1", "tool_name": "find", "result": "[1]"}), 2)
    failed = {"toolCallId": "c2", "name": "send", "content": "no such city", "status": "error"}
    calls.take_part(_data({"tool_results": [failed]}), 3)
    assert _rows(calls) == [("find", {"q": "x"}, [1]), ("send", "(the server does not show the arguments)", UNSET)]
    assert calls.made()[1].error == "no such city"


def test_agno_shows_calls_in_streams_only() -> None:
    started = {"agno_event_type": "tool_call_started", "tool_name": "pay", "tool_call_id": "c1", "tool_args": "{}"}
    streamed, whole = ShownCalls({}), ShownCalls({})
    streamed.take_metadata(started, 1, streamed=True)
    whole.take_metadata({"agno_content_category": "content"}, 1, streamed=False)
    assert (_rows(streamed), streamed.has_a_place, whole.has_a_place) == ([("pay", {}, UNSET)], True, False)


def test_the_result_of_an_earlier_call_comes_late() -> None:
    calls = ShownCalls({"c1": ToolCall(id="c1", name="pay", args={"n": 1}, started_ms=5)})
    calls.take_part(_data({"id": "c1", "name": "pay", "response": {"paid": 1}}, adk_type="function_response"), 9)
    assert calls.made() == ()
    (late,) = calls.completed_late()
    assert (late.args, late.result, late.started_ms) == ({"n": 1}, {"paid": 1}, 5)


def test_an_id_used_again_for_another_call_is_a_call_of_its_own() -> None:
    calls = ShownCalls({})
    for name, args in (("search", {}), ("delete", {}), ("search", {"q": 1}), ("search", {})):
        calls.take_part(_data({"id": "c1", "name": name, "args": args}, adk_type="function_call"), 1)
    calls.take_part(_data({"id": "c1", "name": "delete", "response": "gone"}, adk_type="function_response"), 2)
    calls.take_part(_data({"id": "c1", "name": "pay", "response": "ok"}, adk_type="function_response"), 2)
    assert _rows(calls) == [
        ("search", {}, UNSET),
        ("delete", {}, "gone"),
        ("search", {"q": 1}, UNSET),
        ("pay", "(the server does not show the arguments)", "ok"),
    ]


def test_an_id_of_an_earlier_turn_used_again_is_a_call_of_its_own() -> None:
    earlier = {"c1": ToolCall(id="c1", name="search", args={})}

    def made(name: str, *, may_repeat: bool) -> list[tuple[str, Any, Any]]:
        calls = ShownCalls(earlier, may_repeat=may_repeat)
        calls.take_part(_data({"id": "c1", "name": name, "args": {}}, adk_type="function_call"), 1)
        return _rows(calls)

    assert made("delete", may_repeat=True) == made("delete", may_repeat=False) == [("delete", {}, UNSET)]
    assert made("search", may_repeat=False) == [("search", {}, UNSET)]
    assert made("search", may_repeat=True) == []


def test_what_may_be_a_call_in_another_shape_is_unread() -> None:
    calls = ShownCalls({})
    assert not calls.take_part(_data({"tool": "pay", "args": {}}), 1)
    calls.doubt_data(_data({"tool": "pay", "args": {}}))
    calls.take_metadata({"toolCalls": [{"name": "pay"}]}, 1, streamed=True)
    calls.take_part(_data({"args": {}}, adk_type="function_call"), 1)
    assert [piece.may_hold for piece in calls.unread] == ["call", "call", "call"]
    assert calls.made() == ()


def test_ordinary_data_is_no_call() -> None:
    calls = ShownCalls({})
    calls.doubt_data(_data({"total": 12.5, "items": ["a"]}))
    calls.take_metadata({"trace_id": "x"}, 1, streamed=True)
    assert (calls.unread, calls.has_a_place) == ([], False)


def test_a_call_beside_the_metadata_of_adk_or_agno_is_unread() -> None:
    told = {"tool_calls": [{"name": "delete"}]}
    agno = {"agno_event_type": "tool_call_started", "tool_name": "pay", "tool_call_id": "1", "tool_args": "{}"}
    for beside in ({"adk_app_name": "desk", **told}, {"adk_tool_calls": ["delete"]}, {**agno, "more": told}):
        calls = ShownCalls({})
        calls.take_metadata(beside, 1, streamed=True)
        assert [piece.may_hold for piece in calls.unread] == ["call"]
        assert calls.has_a_place
