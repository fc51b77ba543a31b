"""JSON in a text that readers read differently, or cannot read: no check about it passes, negated or not."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.evidence import answered, helpers
from tests.fakes.random_values import at_most

from vivavoce.assertions.clear_json import DEEPEST, UnclearJson, clear_json, clear_whole_json
from vivavoce.engine.attempt.judging import judge
from vivavoce.model.case import Origin
from vivavoce.model.verdict import Outcome
from vivavoce.sources.decoding.assertion_decoder import decode_assertions

SCALARS = st.sampled_from([0, 1, True, None, "a", "x\ny"])
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)
AROUND = ["%s", "```json\n%s\n```", "Here it is: %s. Enjoy!", "<think>hm</think>%s"]
CHECKS: list[Any] = [
    {"type": "equals", "value": {"a": 1}},
    {"type": "json_path", "path": "$.twice", "value": 1},
    {"type": "json_path", "path": "$.twice"},
    {"type": "type", "path": "$", "value": "object"},
    {"type": "number", "path": "$.twice", "min": 0},
    {"type": "contains", "path": "$.twice", "value": "1"},
    {"type": "json_schema", "schema": {"type": "object"}},
    {"type": "json_schema", "schema": {"properties": {"twice": {"const": 1}}}},
]


def outcome(written: Any, said: str) -> Outcome:
    specs = decode_assertions(written, Origin("t.jsonl", 1))
    return asyncio.run(judge(specs, answered(said), helpers()))[0].outcome


@settings(max_examples=at_most(60), deadline=None)
@given(DOCUMENTS, DOCUMENTS, st.sampled_from(AROUND), st.sampled_from(CHECKS), st.booleans(), st.booleans())
def test_a_key_that_is_written_twice_passes_no_check(
    first: Any, second: Any, around: str, written: Any, negate: bool, inside: bool
):
    twice = f'{{"twice": {json.dumps(first)}, "twice": {json.dumps(second)}}}'
    said = around % (f'{{"a": [{twice}]}}' if inside else twice)
    # `equals` takes a text only where all of it is JSON: prose is no object, which a negated check may well say.
    if written["type"] == "equals" and negate and around not in AROUND[:2]:
        return
    assert outcome({**written, "negate": negate}, said) is Outcome.FAILED


@settings(max_examples=at_most(60), deadline=None)
@given(DOCUMENTS, st.sampled_from(AROUND))
def test_every_other_document_is_read_as_it_was(document: Any, around: str):
    said = {"a": document}
    found = clear_json(around % json.dumps(said))
    assert found is not None
    assert found.value == said


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("written", CHECKS, ids=str)
@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize(
    "said", ['{"twice": "\\ud800"}', '{"twice": ' + '{"a":' * (DEEPEST + 100) + "1" + "}" * (DEEPEST + 101)]
)
def test_half_a_character_and_endless_nesting_pass_no_check(said: str, written: Any, around: str, negate: bool):
    if written["type"] == "equals" and negate:
        return
    assert outcome({**written, "negate": negate}, around % said) is Outcome.FAILED


def test_the_reason_says_what_is_unclear():
    with pytest.raises(UnclearJson, match="a key written twice"):
        clear_whole_json('{"a": 1, "a": 1}')
    with pytest.raises(UnclearJson, match=f"more than {DEEPEST} levels"):
        clear_json("[" * 600 + '{"a": 1}' + "]" * 600)
    with pytest.raises(UnclearJson, match="half of a character"):
        clear_json('{"a": "\\udc00"}')
    assert clear_whole_json("only words") is None
    assert clear_json("only words") is None
