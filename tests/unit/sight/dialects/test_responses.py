"""What is special about the Responses API."""

from vivavoce.sight.dialects.responses import RESPONSES


def test_a_plain_text_is_what_the_user_says():
    (said,) = map(RESPONSES.said, RESPONSES.sections({"input": "hello"}).talk)
    assert (said.role, said.text) == ("user", "hello")


def test_reasoning_items_say_nothing():
    said = RESPONSES.said({"type": "reasoning", "summary": [{"text": "hm"}]})
    assert (said.text, said.calls) == ("", ())
