"""Anthropic's stream begins and ends with its own events, also when nothing is said."""

from vivavoce.sight.faults.bodies.anthropic import ANTHROPIC
from vivavoce.sight.faults.bodies.shape import Spoken


def names(text: str) -> list[str]:
    return [name for name, _ in ANTHROPIC.events(Spoken(text=text, finish="refusal", model="m-1"))]


def test_silence_has_no_block():
    assert names("") == ["message_start", "message_delta", "message_stop"]


def test_words_come_in_one_block():
    inside = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert names("No.") == ["message_start", *inside, "message_delta", "message_stop"]


def test_an_error_names_its_kind():
    assert ANTHROPIC.error(529, "", None)["error"] == {"type": "overloaded_error", "message": "Overloaded"}
