"""Which characters are shown instead of sent, and how."""

import re
import unicodedata

import pytest

from vivavoce.wording.unsafe_characters import UNSAFE, made_visible


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b2J", "\\x9b2J"),
        ("a\x00b\rc", "a\\x00b\\x0dc"),
        ("a\u202eb", "a\\u202eb"),
        ("\ud800", "\\ud800"),
        ("two\nlines", "two\nlines"),
        ("Grüße, 東京 🙂", "Grüße, 東京 🙂"),
    ],
)
def test_what_acts_on_a_terminal_is_shown_by_its_number(sent: str, shown: str):
    assert made_visible(sent) == shown


def test_every_control_character_but_the_line_break_is_unsafe():
    control = {chr(code) for code in range(0x300) if unicodedata.category(chr(code)) == "Cc"}
    assert {one for one in control if not re.fullmatch(UNSAFE, one)} == {"\n"}


def test_every_mark_that_turns_text_around_is_unsafe():
    turning = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    marks = [chr(code) for code in range(0x10000) if unicodedata.bidirectional(chr(code)) in turning]
    assert marks
    assert [one for one in marks if not re.fullmatch(UNSAFE, one)] == []


def test_what_is_unsafe_is_never_printable():
    """A printable text is passed on without a search."""
    assert [chr(code) for code in range(0x110000) if re.fullmatch(UNSAFE, chr(code)) and chr(code).isprintable()] == []
