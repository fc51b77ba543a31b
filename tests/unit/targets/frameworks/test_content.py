"""Words for frameworks that take nothing else."""

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.frameworks.content import words_only


def test_words_are_taken_out_of_their_parts():
    assert words_only("hi", "ADK") == "hi"
    assert words_only([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ADK") == "a\nb"


def test_anything_else_is_refused():
    with pytest.raises(CallFailed, match=r"sends ADK agents texts only, and not \[image_url\]") as caught:
        words_only([{"type": "image_url", "image_url": {"url": "data:,"}}], "ADK")
    assert caught.value.fault == "test"
