"""What a program printed → its reply."""

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.command_output import read_output


@pytest.mark.parametrize("printed", [b"", b"\n \n", "\ufeff".encode()])
def test_a_program_that_printed_nothing_may_have_said_it_elsewhere(printed: bytes):
    reply = read_output(printed)
    assert reply.text == ""
    assert [str(piece) for piece in reply.unread] == [
        "what the program printed: nothing (was the answer printed to stderr?)"
    ]
    assert reply.unread[0].may("words")


def test_words_are_the_answer_and_json_is_read():
    assert read_output(b"hello\n").text == "hello"
    assert read_output(b'{"content": "hi", "tool_calls": []}').text == "hi"
    with pytest.raises(CallFailed, match="holds JSON and something else"):
        read_output(b'log line\n{"content": "hi", "tool_calls": []}')
