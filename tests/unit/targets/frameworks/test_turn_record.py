"""What a turn has shown, and what it comes to."""

import pytest
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.message import ExchangeStatus, Interrupt, ToolCall, Usage
from vivavoce.targets.frameworks.turn_record import TurnRecord


def test_results_go_to_their_calls_and_the_last_word_counts():
    seen = TurnRecord()
    seen.called("a", "pay", '{"amount": 10}', 1.0)
    seen.returned("a", {"error": "wants confirmation"})
    seen.returned("a", "paid", at_ms=3.0)
    [call] = seen.reply().calls
    assert (call.args, call.result, call.error, call.started_ms, call.completed_ms) == (
        {"amount": 10},
        "paid",
        None,
        1.0,
        3.0,
    )


def test_a_failed_call_has_an_error_and_no_result():
    seen = TurnRecord()
    seen.called("a", "pay", {})
    seen.returned("a", "the text of the failure", error="no money")
    [call] = seen.reply().calls
    assert (call.result, call.error) == (UNSET, "no money")


def test_a_result_of_an_earlier_turn_s_call_is_late():
    seen = TurnRecord([ToolCall(id="a", name="pay", args={"amount": 10})])
    seen.resumed = True
    seen.called("a", "pay", {"amount": 10})
    seen.returned("a", "paid")
    reply = seen.reply()
    assert reply.calls == ()
    assert [(call.id, call.name, call.result) for call in reply.late_results] == [("a", "pay", "paid")]


def test_an_id_used_again_in_a_new_run_is_a_new_call():
    seen = TurnRecord([ToolCall(id="a", name="pay", result="paid")])
    seen.called("a", "pay", {"amount": 11})
    seen.returned("a", "paid again")
    reply = seen.reply()
    assert [(call.args, call.result) for call in reply.calls] == [({"amount": 11}, "paid again")]
    assert reply.late_results == ()


def test_a_result_nobody_asked_for_is_a_call_when_it_has_a_name_and_unread_when_not():
    seen = TurnRecord()
    seen.returned("x", "gone", name="delete_file")
    seen.returned("y", "gone")
    reply = seen.reply()
    assert [call.name for call in reply.calls] == ["delete_file"]
    assert [piece.may_hold for piece in reply.unread] == ["call"]


def test_the_last_text_is_the_reply_and_data_beats_it():
    seen = TurnRecord()
    seen.said("let me look")
    seen.said("")
    seen.said("done")
    assert (seen.reply().text, seen.reply().texts) == ("done", ("let me look", "done"))
    seen.answered({"number": 7})
    assert seen.reply().output == {"number": 7}


def test_a_call_written_into_the_text_is_unread():
    seen = TurnRecord()
    seen.said('<tool_call>{"name": "pay", "arguments": {}}</tool_call>')
    assert seen.reply().unread


def test_structured_output_that_is_no_json_is_the_agent_s_fault():
    with pytest.raises(CallFailed, match="not JSON"):
        TurnRecord().answered(object())


def test_tokens_are_added_up():
    seen = TurnRecord()
    assert seen.reply().usage is None
    seen.spent(11, 5)
    seen.spent(None, 1)
    assert seen.reply().usage == Usage(11, 6)


def test_what_it_waits_for_is_an_interrupt_and_a_failed_run_an_error():
    seen = TurnRecord()
    seen.waits(Interrupt(id="1"))
    seen.handed_over("refunds", by="desk")
    seen.warn("slow")
    reply = seen.reply()
    assert (reply.status, reply.warnings) == (ExchangeStatus.INTERRUPTED, ("slow",))
    assert reply.trace == ({"type": "HANDOFF", "to": "refunds", "from": "desk"},)
    seen.failed("no model")
    assert (seen.reply().status, seen.reply().error) == (ExchangeStatus.ERROR, "no model")


def test_arguments_and_results_that_are_no_json_are_told_as_texts():
    class Money:
        def __str__(self) -> str:
            return "10 EUR"

    seen = TurnRecord()
    seen.called("a", "pay", {"how": "cash"})
    seen.returned("a", Money())
    assert seen.reply().calls[0].result == "10 EUR"


def test_a_refused_call_is_an_error_whatever_it_was_told_as():
    seen = TurnRecord([ToolCall(id="b", name="ship")])
    seen.called("a", "pay", {})
    seen.returned("a", "too much")
    seen.returned("b", "not now")
    for call_id in ("a", "b", "unknown"):
        seen.refused(call_id)
    reply = seen.reply()
    assert [(call.result, call.error) for call in (*reply.calls, *reply.late_results)] == [
        (UNSET, "too much"),
        (UNSET, "not now"),
    ]


def test_times_and_calls_may_come_apart():
    seen = TurnRecord()
    seen.timed("a", started_ms=1.0)
    seen.timed("a", completed_ms=3.0)
    seen.called("a", "pay", {})
    seen.returned("a", "paid")
    [call] = seen.reply().calls
    assert (call.started_ms, call.completed_ms) == (1.0, 3.0)


def test_what_turned_out_to_be_no_call_is_dropped():
    seen = TurnRecord()
    seen.called("a", "final_result", {})
    seen.called("b", "pay", {})
    seen.drop(lambda call: call.name == "final_result")
    assert [call.name for call in seen.reply().calls] == ["pay"]
