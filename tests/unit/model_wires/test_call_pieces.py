"""Streamed tool calls, put together from their pieces."""

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model_wires.call_pieces import CallPiece, CallPieces, FunctionPiece


def piece(name: str | None = None, given: str | None = None, index: int | None = 0, call_id: str | None = None):
    return CallPiece(index=index, id=call_id, function=FunctionPiece(name, given))


def joined(*pieces: CallPiece) -> CallPieces:
    calls = CallPieces()
    for one in pieces:
        calls.add([one])
    return calls


def test_pieces_of_an_index_are_one_call():
    calls = joined(piece("pay", "", call_id="a"), piece(None, '{"n"'), piece(None, ":1}"))
    assert [(call.id, call.name, call.args) for call in calls.calls()] == [("a", "pay", {"n": 1})]
    assert calls.unread == []


def test_a_new_id_or_whole_arguments_begin_another_call():
    calls = joined(piece("look", "{}", call_id="a"), piece("pay", "{}", call_id="b"), piece("pay", '{"n": 1}'))
    assert [call.name for call in calls.calls()] == ["look", "pay", "pay"]
    assert calls.unread == []


def test_calls_come_in_the_order_of_their_index():
    assert [call.name for call in joined(piece("b", "{}", 1), piece("a", "{}", 0)).calls()] == ["a", "b"]


@pytest.mark.parametrize(
    "second", [piece("order", "{}"), piece("order")], ids=["with its arguments", "without arguments"]
)
def test_a_second_name_without_an_id_is_doubt(second: CallPiece):
    assert len(joined(piece("delete_", "", call_id="a"), second).unread) == 1


def test_two_names_or_two_sets_of_arguments_in_one_piece_are_doubt():
    assert joined(CallPiece(index=0, name="look", function=FunctionPiece("pay", "{}"))).unread
    assert joined(CallPiece(index=0, name="pay", arguments="{}", args={"n": 1})).unread


def test_a_call_without_a_name_is_an_error_unless_the_stream_broke():
    calls = joined(piece(None, "{}"))
    with pytest.raises(CallFailed, match="without a function"):
        calls.calls()
    calls.drop_nameless()
    assert (calls.calls(), len(calls.unread)) == ((), 1)
