"""Hints for people who write what other tools call it."""

import json

import pytest

from vivavoce.model.case import Origin
from vivavoce.notation.other_tools import _ASSERTION_TYPES, hint_for_foreign_type
from vivavoce.sources.decoding.assertion_decoder import decode_assertions

FILLED = {"{…}": '{"a": "b"}', "[…]": '["a"]', "…": "a"}


@pytest.mark.parametrize("theirs", sorted(_ASSERTION_TYPES))
@pytest.mark.parametrize("negated", ["", "not-"])
def test_every_hint_is_an_assertion_that_viva_takes(theirs: str, negated: str):
    hint = hint_for_foreign_type(negated + theirs)
    assert hint is not None
    for blank, value in FILLED.items():
        hint = hint.replace(blank, value)
    entry = json.loads(hint.removeprefix("write "))
    (spec,) = decode_assertions(entry, Origin("c.jsonl", 1))
    assert spec.negate is bool(negated)


def test_spelling_does_not_matter_and_other_words_have_no_hint():
    assert hint_for_foreign_type("LLM_Rubric") == hint_for_foreign_type("llm-rubric")
    assert hint_for_foreign_type("contians") is None
    assert hint_for_foreign_type("not-contains") is None  # near enough to not_contains to be found by its letters
