from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.targets.chunk_reading import chunks_so_far, read_chunks

CALL = {"name": "refund", "args": {"id": 1}}


def names(reply: AgentReply) -> list[str]:
    return [call.name for call in reply.calls]


def test_texts_are_joined_also_when_bytes_are_cut_inside_a_character():
    assert read_chunks(["gu", "ten", None, " Tag"]).text == "guten Tag"
    assert read_chunks(["ü".encode()[:1], "ü".encode()[1:]]).text == "ü"


def test_dicts_add_to_the_reply_and_calls_of_several_chunks_are_all_there():
    reply = read_chunks(["Do", {"tool_calls": [CALL]}, "ne", {"tool_calls": [{"name": "mail", "args": {}}]}])
    assert (reply.text, names(reply)) == ("Done", ["refund", "mail"])


def test_a_later_word_about_a_key_wins_and_a_call_that_it_hides_is_unread():
    reply = read_chunks([{"content": "a", "data": {"tool_calls": [CALL]}}, {"content": "b", "data": {"x": 1}}])
    assert reply.data == {"x": 1}
    assert any(piece.may("call") for piece in reply.unread)


def test_a_ready_made_reply_is_the_whole_answer_and_calls_before_it_are_unread():
    final = AgentReply(text="done", calls=(ToolCall(name="mail"),))
    reply = read_chunks([{"tool_calls": [CALL, {"name": "mail", "args": {}}]}, final])
    assert (reply.text, names(reply)) == ("done", ["mail"])
    assert [piece.piece for piece in reply.unread] == ["refund"]


@pytest.mark.parametrize(
    ("chunks", "words"),
    [
        (["a", 7], "chunk 2 of the answer is of type int, wanted text or a dict"),
        ([{"choices": [{"delta": {"content": "x"}}]}], "a piece of another library's stream"),
        ([{"content": [{"type": "text", "text": "x"}]}, "b"], "has content in parts, wanted text"),
        ([{"tool_calls": [CALL]}, {"tool_calls": CALL}], "comes in several chunks, wanted an array in each"),
    ],
)
def test_what_cannot_be_joined_says_so(chunks: list[Any], words: str):
    with pytest.raises(CallFailed, match=words):
        read_chunks(chunks)


def test_of_an_answer_that_broke_off_everything_readable_is_kept_and_the_rest_is_unread():
    reply = chunks_so_far(["Do", {"tool_calls": [CALL]}, 7, "ne"])
    assert (reply.text, names(reply)) == ("Done", ["refund"])
    assert [(piece.piece, piece.where) for piece in reply.unread] == [("7", "a chunk of the answer")]


def test_of_a_broken_answer_of_very_many_chunks_the_later_ones_are_unread_together():
    reply = chunks_so_far([7, *["x"] * 500])
    assert reply.text == "x" * 99
    assert {piece.where for piece in reply.unread} == {"chunks of the answer", "a chunk of the answer"}


def test_nothing_yielded_is_an_empty_reply():
    assert chunks_so_far([]) == AgentReply()


def test_a_call_in_pieces_over_several_chunks_is_an_error():
    """As OpenAI's stream tells it: two calls of other names would be read, `delete_` and `order`."""
    pieces = [{"tool_calls": [{"index": 0, "function": {"name": name}}]} for name in ("delete_", "order")]
    with pytest.raises(CallFailed, match="comes in pieces over several chunks"):
        read_chunks([{"content": "ok"}, *pieces])
    whole = [{"tool_calls": [{"index": 0, "id": name, "function": {"name": name}}]} for name in ("a", "b")]
    assert names(read_chunks(whole)) == ["a", "b"]
