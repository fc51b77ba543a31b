"""What is true of every dialect."""

import pytest

from vivavoce.sight.dialects.anthropic import ANTHROPIC
from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.dialects.dialect import NAMES, Dialect, Sections, without
from vivavoce.sight.dialects.gemini import GEMINI
from vivavoce.sight.dialects.responses import RESPONSES

DIALECTS = [ANTHROPIC, CHAT, GEMINI, RESPONSES]


def test_differences_are_reported_in_the_order_of_the_sections():
    assert Sections.__struct_fields__ == NAMES


def test_without_leaves_the_other_fields_and_the_body_as_they_are():
    body = {"a": 1, "b": 2, "c": 3}
    assert without(body, "a", "c", "nothing") == {"b": 2}
    assert body == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_no_field_of_a_request_is_lost_by_taking_it_apart(dialect: Dialect):
    """A field that no section holds could change without a difference being seen."""
    sections = dialect.sections({"model": "m", "a_new_field": "unheard of"})
    assert "unheard of" in str(sections.params)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_an_error_of_ours_is_read_by_nobody_as_an_answer(dialect: Dialect):
    assert "no recording fits" in str(dialect.refusal("no recording fits"))


@pytest.mark.parametrize("dialect", [ANTHROPIC, CHAT, RESPONSES], ids=lambda dialect: dialect.name)
def test_a_stream_is_asked_for_in_the_body(dialect: Dialect):
    assert dialect.streams({"stream": True}, "/v1/x")
    assert not dialect.streams({"stream": False}, "/v1/x")
    assert not dialect.streams({}, "/v1/x")


def test_gemini_asks_for_a_stream_in_the_path():
    assert GEMINI.streams({}, "/v1beta/models/m:streamGenerateContent")
    assert not GEMINI.streams({"stream": True}, "/v1beta/models/m:generateContent")
