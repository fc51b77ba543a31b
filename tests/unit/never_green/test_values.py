"""Values that slip past a check: numbers JSON does not have, other spellings of one number, texts inside data."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.fakes.evidence import answered, call, evidence, helpers, turn
from tests.fakes.random_values import at_most

from vivavoce.engine.attempt.judging import judge
from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import compact_json, iter_texts, json_equal
from vivavoce.model.verdict import Outcome
from vivavoce.protocols import Evidence
from vivavoce.sources.decoding.assertion_decoder import decode_assertions

BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
RULES: st.SearchStrategy[Any] = st.one_of(
    st.dictionaries(st.sampled_from(BOUNDS), st.integers(1, 100), min_size=1, max_size=1),
    st.sampled_from([{"type": "number"}, {"type": "integer"}, {"enum": [1, 2]}, {"const": 5}]),
)
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    RULES,
    lambda inner: st.one_of(
        inner.map(lambda one: {"not": one}), st.lists(inner, min_size=1, max_size=3).map(lambda all_: {"anyOf": all_})
    ),
    max_leaves=4,
)
NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e400", "-1e999"]
AWKWARD = st.text('ab "\\\n\té/', min_size=2, max_size=8).filter(str.strip)


def verdict(written: Any, seen: Evidence) -> Outcome:
    specs = decode_assertions(written, Origin("t.jsonl", 1))
    return asyncio.run(judge(specs, seen, helpers()))[0].outcome


@settings(max_examples=at_most(60), deadline=None)
@given(SCHEMAS, st.sampled_from(NO_NUMBERS), st.booleans(), st.booleans())
def test_a_number_that_json_does_not_have_fits_no_rule_about_numbers(schema: Any, number: str, cut: bool, negate: bool):
    said = '{"n": ' + number + ("" if cut else "}")
    written = {"type": "json_schema", "schema": {"properties": {"n": schema}}, "negate": negate}
    assert verdict(written, answered(said)) is Outcome.FAILED


@pytest.mark.parametrize("number", NO_NUMBERS[:4])
@pytest.mark.parametrize("kind", ["number", "string"])
@pytest.mark.parametrize("negate", [False, True])
def test_nor_is_it_a_number_to_the_type_check(number: str, kind: str, negate: bool):
    written = {"type": "type", "path": "n", "value": kind, "negate": negate}
    assert verdict(written, answered('{"n": ' + number + "}")) is Outcome.FAILED


@settings(max_examples=at_most(60), deadline=None)
@given(
    st.sampled_from(NO_NUMBERS),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["n", "$.n", "$", "$..n", "list", "$.list[0]"]),
    st.sampled_from([None, 0, 1, 1e300, "NaN", True, [0, 1], {"n": 0}]),
)
def test_nor_does_a_path_lead_to_it(number: str, cut: bool, negate: bool, path: str, wanted: Any):
    said = f'{{"n": {number}, "list": [{number}, 1]' + ("" if cut else "}")
    value = {} if wanted is None else {"value": wanted}
    written = {"type": "json_path", "path": path, **value, "negate": negate}
    assert verdict(written, answered(said)) is Outcome.FAILED


@settings(max_examples=at_most(60), deadline=None)
@given(st.integers(-(10**22), 10**22))
def test_a_whole_number_is_the_same_in_every_spelling_to_every_rule(number: int):
    assume(int(float(number)) == number)
    data, other = {"n": number}, float(number)
    assert json_equal(number, other)
    assert compact_json(number) == compact_json(other)
    for written in (
        {"type": "equals", "value": {"n": other}},
        {"type": "json_path", "path": "n", "value": other},
        {"type": "contains", "value": other},
        {"type": "json_schema", "schema": {"properties": {"n": {"const": other}}}},
        {"type": "json_schema", "schema": {"properties": {"n": {"enum": [other]}}}},
    ):
        assert verdict(written, answered(data)) is Outcome.PASSED, written
    assert verdict({"type": "not_contains", "value": other}, answered(data)) is Outcome.FAILED
    called = evidence(turn("ok", call("pay", {"n": number})))
    forbidden = {"tools": {"forbid_calls": [{"name": "pay", "args_match": {"n": other}}]}}
    assert verdict(forbidden, called) is Outcome.FAILED


TEXTS: st.SearchStrategy[Any] = AWKWARD
NESTED = st.recursive(
    TEXTS, lambda inner: st.lists(inner, min_size=1, max_size=2) | st.fixed_dictionaries({"k": inner})
)


def texts_of(value: Any) -> list[str]:
    return list(iter_texts(value))


@settings(max_examples=at_most(80), deadline=None)
@given(NESTED, st.data())
def test_a_text_inside_data_is_found_by_every_check_that_forbids_it(value: Any, data: Any):
    said = {"answer": value}
    whole = data.draw(st.sampled_from(texts_of(value)))
    start = data.draw(st.integers(0, len(whole) - 1))
    text = whole[start : data.draw(st.integers(start + 1, len(whole)))]
    pattern = "".join(f"[{letter}]" if letter not in "\\" else "[\\\\]" for letter in text)
    for seen in (answered(said), answered(json.dumps(said))):
        for written in (
            {"type": "not_contains", "value": text},
            {"type": "contains", "value": text, "negate": True},
            {"type": "regex", "value": pattern, "negate": True},
            {"type": "must_match", "value": pattern, "negate": True},
            {"text": {"must_not_match": pattern}},
        ):
            assert verdict(written, seen) is Outcome.FAILED, written
    called = evidence(turn("ok", call("send", said, said)))
    for rule in (
        {"forbid_calls": [{"name": "send", "args_match": {"answer": pattern}}]},
        {"forbid_calls": [{"name": "send", "result_match": pattern}]},
        {"require": [{"name": "send", "args_match": {"answer": pattern}, "count": {"exact": 0}}]},
        {"require": [{"name": "send", "result_not_match": pattern}]},
    ):
        assert verdict({"tools": rule}, called) is Outcome.FAILED, rule


def spelt(text: str, letters: set[int]) -> str:
    """The text inside JSON, some of its letters as escapes."""
    return "".join(f"\\u{ord(c):04x}" if at in letters else json.dumps(c)[1:-1] for at, c in enumerate(text))


@settings(max_examples=at_most(80), deadline=None)
@given(
    AWKWARD,
    st.sets(st.integers(0, 7)),
    st.sampled_from(["%s", "Sure: %s!", "```\n%s\n```", "%s and {}"]),
    st.booleans(),
)
def test_no_spelling_of_json_hides_a_forbidden_text(text: str, escaped: set[int], around: str, as_key: bool):
    written = f'"{spelt(text, escaped)}"'
    said = around % (f"{{{written}: 1}}" if as_key else f'{{"k": {written}}}')
    again = {"text": json.dumps({text: 1} if as_key else {"k": text})}
    pattern = "".join(f"[{letter}]" if letter not in "\\" else "[\\\\]" for letter in text)
    for seen in (answered(said), answered(again), answered(written), answered({"k": written})):
        assert verdict({"type": "not_contains", "value": text}, seen) is Outcome.FAILED, seen.output
        assert verdict({"text": {"must_not_match": pattern}}, seen) is Outcome.FAILED, seen.output


@pytest.mark.parametrize("forbidden", ["caf\u00e9", "cafe\u0301"])
@pytest.mark.parametrize("said", ["caf\u00e9", "cafe\u0301", "ca\u00adf\u00e9", "ca\u200bfe\u0301"])
def test_letters_that_look_the_same_hide_no_forbidden_text(said: str, forbidden: str):
    for seen in (
        answered(f"a {said}!"),
        answered({"k": said}),
        answered(json.dumps([said])),
        answered(json.dumps(said)),
    ):
        assert verdict({"type": "not_contains", "value": forbidden}, seen) is Outcome.FAILED, seen.output
        assert verdict({"type": "contains", "value": forbidden, "negate": True}, seen) is Outcome.FAILED, seen.output
        assert verdict({"text": {"must_not_match": "caf\u00e9"}}, seen) is Outcome.FAILED, seen.output
        assert verdict({"type": "regex", "value": "caf\u00e9", "negate": True}, seen) is Outcome.FAILED, seen.output


def test_a_key_that_reads_as_it_is_written_is_no_value():
    for said in ({"error": None}, '{"error": null}', 'ok: {"error": null, "path": "a\\\\b"}'):
        assert verdict({"text": {"must_not_match": "^error$"}}, answered(said)) is Outcome.PASSED


LARGE = st.integers(-(10**30), 10**30) | st.integers(2**53 - 3, 2**53 + 3) | st.sampled_from([10**400, -(10**400)])


@settings(max_examples=at_most(80), deadline=None)
@given(LARGE, LARGE, st.sampled_from(["min", "max", "gt", "lt"]), st.booleans(), st.booleans())
def test_limits_hold_for_whole_numbers_of_any_size(number: int, limit: int, rule: str, negate: bool, near: bool):
    limit = number + 1 if near else limit
    holds = {"min": number >= limit, "max": number <= limit, "gt": number > limit, "lt": number < limit}[rule]
    for said in (number, str(number)):
        seen = verdict({"type": "number", rule: limit, "negate": negate}, answered(said))
        assert seen is (Outcome.PASSED if holds is not negate else Outcome.FAILED)


def test_a_check_that_wants_a_text_still_looks_into_the_json_text_only():
    assert verdict({"type": "contains", "value": 'say "hi"'}, answered({"a": 'say "hi"'})) is Outcome.FAILED


def test_words_beside_data_do_not_hide_what_the_data_says():
    seen = evidence(turn("all is well", data={"note": "the password is 123"}))
    assert verdict({"text": {"must_not_match": "password"}}, seen) is Outcome.FAILED


@settings(max_examples=at_most(40), deadline=None)
@given(st.text("abc.*", min_size=1, max_size=6))
def test_slashes_without_flags_are_refused_in_every_rule_with_a_pattern(body: str):
    pattern = f"/{body}/"
    for written in (
        {"type": "regex", "value": pattern},
        {"text": {"must_match": pattern}},
        {"text": {"must_not_match": [pattern]}},
        {"tools": {"require": [{"name": "x", "args_match": {"a": pattern}}]}},
        {"tools": {"require": [{"name": "x", "result_not_match": pattern}]}},
        {"tools": {"forbid_calls": [{"name": "x", "result_match": pattern}]}},
        {"type": "tool_called", "name": "x", "arguments": {"a": f"regex:{pattern}"}},
    ):
        with pytest.raises(UsageError, match="bad regex"):
            decode_assertions(written, Origin("t.jsonl", 1))


@pytest.mark.parametrize(
    "written",
    [
        {"type": "contains", "value": ""},
        {"type": "not_contains", "value": ""},
        {"type": "contains", "value": None},
        {"type": "regex", "value": ""},
        {"type": "regex", "pattern": ""},
        {"type": "must_match", "value": ""},
        {"text": {"must_match": ""}},
        {"text": {"must_match": []}},
        {"text": {"must_match": None}},
        {"text": {"must_match": ["ok", ""]}},
        {"text": {"must_not_match": ""}},
        {"type": "tool_result", "tool": "x", "result": "regex:"},
        {"type": "tool_called", "name": "x", "arguments": {"a": ["regex:"]}},
        {"type": "regex", "value": "x*"},
        {"text": {"must_match": "x*"}},
        {"text": {"must_not_match": ["(a|b)?"]}},
    ],
    ids=str,
)
def test_what_every_text_has_in_it_is_refused_at_load(written: Any):
    with pytest.raises(UsageError):
        decode_assertions(written, Origin("t.jsonl", 1))


@pytest.mark.parametrize("negate", [False, True])
def test_a_path_takes_nothing_from_a_call_that_failed(negate: bool):
    failed = call("book", {}, {"status": "booked"}, error="timed out")
    seen = evidence(turn("done", failed), scope="final")
    written = {"type": "json_path", "path": "$.status", "value": "booked", "negate": negate}
    assert verdict(written, seen) is Outcome.FAILED
    earlier = evidence(turn("done", call("book", {}, {"status": "open"}), failed), scope="final")
    assert verdict({"type": "json_path", "path": "$.status", "value": "open"}, earlier) is Outcome.PASSED


TRUTH_AS_NUMBER = {
    '{"x": true}': "$[?@ < 100]",
    '{"x": false}': "$[?@ <= 0]",
    '[{"x": true}]': "$[?@.x >= 1]",
    '[{"x": [true], "y": [1]}]': "$[?@.x == @.y]",
    '[{"x": {"a": false}}, {"x": {"a": 0}}]': "$[?@.x == $[1].x && @.x.a == false]",
}


@pytest.mark.parametrize("said", TRUTH_AS_NUMBER)
def test_true_is_no_number_to_the_filter_of_a_path(said: str):
    assert verdict({"type": "json_path", "path": TRUTH_AS_NUMBER[said]}, answered(said)) is Outcome.FAILED


@pytest.mark.parametrize("number", NO_NUMBERS)
@pytest.mark.parametrize("path", ["$[?@ == 5]", "$[?@.n == 5]", "$.*[?@.n > 5]", "$..price"])
def test_a_number_that_json_does_not_have_is_not_passed_over_by_a_filter(number: str, path: str):
    written = {"type": "json_path", "path": path, "negate": True}
    assert verdict(written, answered('{"n": ' + number + ', "m": {"n": ' + number + "}}")) is Outcome.FAILED


@pytest.mark.parametrize("number", NO_NUMBERS)
@pytest.mark.parametrize("check", [{"type": "equals", "value": 1}, {"type": "contains", "value": "1"}])
def test_no_check_of_a_part_passes_where_it_is_no_json(number: str, check: Any):
    written = {**check, "path": "$.n", "negate": True}
    assert verdict(written, answered('{"n": ' + number + "}")) is Outcome.FAILED
