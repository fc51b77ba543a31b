"""Calls that the answer shows and calls seen from the side become one list without doubles."""

from vivavoce.model.message import ToolCall
from vivavoce.sight.joined_calls import joined


def test_the_same_id_is_the_same_call_and_its_result_is_added():
    [call] = joined([ToolCall(name="refund", id="1")], [ToolCall(name="refund", id="1", args={"a": 1}, result="ok")])
    assert (call.args, call.result) == ({"a": 1}, "ok")


def test_what_the_answer_says_wins():
    [call] = joined([ToolCall(name="refund", id="1", result="yes")], [ToolCall(name="refund", id="1", result="no")])
    assert call.result == "yes"


def test_the_same_arguments_are_the_same_call_and_others_are_not():
    shown = [ToolCall(name="refund", args={"order": 1})]
    calls = joined(shown, [ToolCall(name="refund", args={"order": 2}), ToolCall(name="refund", args='{"order": 1}')])
    assert [call.args for call in calls] == [{"order": 1}, {"order": 2}]


def test_two_calls_alike_stay_two():
    twice = [ToolCall(name="refund", args={"order": 1}), ToolCall(name="refund", args={"order": 1})]
    assert len(joined(twice, twice)) == 2
    assert len(joined(twice[:1], twice)) == 2


def test_a_further_call_stands_where_it_began():
    shown = [ToolCall(name="a", started_ms=1.0), ToolCall(name="c", started_ms=3.0)]
    assert [call.name for call in joined(shown, [ToolCall(name="b", started_ms=2.0)])] == ["a", "b", "c"]
