"""What follows from a judge's answers: only a clear majority decides, and no odd answer helps either side."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.assertions.judge_votes import Vote, counted, read_vote
from vivavoce.model.message import AgentReply, Unread
from vivavoce.model.verdict import Outcome
from vivavoce.notation.json_text import find_json

YES, NO, GONE = Vote(passed=True, reason="kind"), Vote(passed=False, reason="rude"), Vote(fault="judge failed: gone")


def vote(text: str, threshold: float | None = None, **reply: Any) -> Vote:
    return read_vote(AgentReply(text=text, **reply), threshold)


def test_a_proper_answer_is_read():
    read = vote('```json\n{"passed": true, "score": 0.5, "reason": "fine", "suggestions": ["more"]}\n```')
    assert (read.passed, read.score, read.reason, read.suggestions, read.fault) == (True, 0.5, "fine", ["more"], None)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("It is fine.", "is not one JSON object"),
        ("[true]", "is not one JSON object"),
        ('{"passed": "yes"}', "must be true or false"),
        ('{"passed": 1}', "must be true or false"),
        ('{"reason": "fine"}', "must be true or false"),
        ('{"passed": true, "score": 7}', "must be a number from 0 to 1"),
        ('{"passed": true, "score": true}', "must be a number from 0 to 1"),
        ('{"passed": true} {"passed": false}', "is not one JSON object"),
        ('I say: {"passed": true}', "is not one JSON object"),
        ('{"passed": true', "is not one JSON object"),
    ],
)
def test_any_other_answer_is_the_fault_of_the_judge_and_is_quoted(text: str, fault: str):
    read = vote(text)
    assert read.passed is None
    assert fault in str(read.fault)
    assert read.reply == text


def test_a_judge_that_says_both_has_not_decided():
    assert vote('{"passed": false}', data={"passed": True}).passed is None
    assert vote('I say {"passed": false}', data={"passed": True}).passed is None
    assert vote("Fine.", data={"passed": True}).passed is True


def test_a_judge_that_tells_of_an_error_has_not_decided():
    read = vote('{"passed": true, "error": "could not judge"}')
    assert (read.passed, "could not judge" in str(read.fault)) == (None, True)
    assert vote('{"passed": true, "error": null}').passed is True


@pytest.mark.parametrize(
    ("may_hold", "passed"), [("words", None), ("both", None), ("call", True), ("details", True), ("name", True)]
)
def test_a_verdict_beside_words_that_could_not_be_read_is_none(may_hold: Any, passed: bool | None):
    read = vote('{"passed": true}', unread=(Unread("quota exceeded", "$.error", may_hold),))
    assert (read.passed, "quota exceeded" in str(read.fault)) == (passed, passed is None)


def test_a_call_that_failed_is_no_vote_whatever_was_said():
    assert vote('{"passed": true}', error="the stream broke").fault == "judge failed: the stream broke"


@pytest.mark.parametrize(("score", "passes"), [(0.69, False), (0.7, True), (1, True)])
def test_a_threshold_is_reached_from_its_value_on(score: float, passes: bool):
    assert vote(f'{{"passed": true, "score": {score}}}', 0.7).passed is passes


def test_a_threshold_without_a_score_is_a_fault_and_a_high_score_saves_no_refusal():
    assert "no score" in str(vote('{"passed": true}', 0.7).fault)
    assert vote('{"passed": false, "score": 1}', 0.7).passed is False


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ([YES], Outcome.PASSED),
        ([NO], Outcome.FAILED),
        ([GONE], Outcome.BROKEN),
        ([YES, YES, NO], Outcome.PASSED),
        ([YES, NO, NO], Outcome.FAILED),
        ([YES, NO], Outcome.FAILED),
        ([YES, GONE], Outcome.BROKEN),
        ([NO, GONE], Outcome.FAILED),
        ([YES, YES, GONE], Outcome.PASSED),
        ([YES, NO, GONE], Outcome.BROKEN),
    ],
)
def test_the_majority_of_all_votes_decides(votes: list[Vote], outcome: Outcome):
    verdict = counted(votes, "{}")
    assert verdict.outcome is outcome
    if outcome is Outcome.BROKEN:
        assert "gone" in verdict.reason


def test_scores_are_averaged_and_their_spread_is_kept():
    votes = [Vote(passed=True, score=0.2), Vote(passed=True, score=0.8), Vote(passed=True)]
    verdict = counted(votes, "{}")
    assert verdict.score == pytest.approx(0.5)
    assert verdict.details["spread"] == {"min": 0.2, "max": 0.8}
    assert verdict.details["passed_votes"] == 3


@pytest.mark.parametrize("yes", range(4))
@pytest.mark.parametrize("no", range(4))
@pytest.mark.parametrize("gone", range(4))
def test_a_negated_check_passes_only_where_most_judges_said_no(yes: int, no: int, gone: int):
    if not (votes := [YES] * yes + [NO] * no + [GONE] * gone):
        return
    verdict = counted(votes, "")
    turned_into_a_pass = verdict.outcome is Outcome.FAILED and verdict.negatable
    assert turned_into_a_pass is (2 * no > len(votes))
    assert (verdict.outcome is Outcome.PASSED) is (2 * yes > len(votes))


@pytest.mark.parametrize(
    "text",
    [
        '{"passed": <think>false</think>true}',
        '{"reason": "it wrote <think>", "passed": false, "x": "</think>", "passed": true}',
        '{"passed": true}<think>or is it?</think>',
        '<think>{"passed": false}</think> Yes: {"passed": true}',
        '<think>a<think>b</think>{"passed": true}</think>',
    ],
)
def test_reasoning_counts_only_in_front_of_the_answer(text: str):
    assert vote(text).unreadable
    assert vote('<think>{"passed": false}</think>\n<thinking>x</thinking>{"passed": true}').passed is True


ODD = ["1", '"x"', "NaN", "Infinity", "1e400", "[NaN, 1]", '{"passed": true}', '{"a": -Infinity}', '"\\ud800"', "[]"]
PROSE = ["", "The agent wrote: ", "No! It only quotes ", " which is not enough", '{"passed": false}', "```", "\n- "]


@settings(max_examples=at_most(300), deadline=None)
@given(st.lists(st.sampled_from(ODD), max_size=3), st.sampled_from(PROSE), st.sampled_from(PROSE), st.booleans())
def test_a_verdict_with_anything_beside_it_is_none_whatever_was_made_of_it(
    odd: list[str], before: str, after: str, shouted: bool
):
    more = "".join(f', "k{at}": {value}' for at, value in enumerate(odd))
    text = f'{before}{{"passed": {"TRUE" if shouted else "true"}{more}}}{after}'
    found = find_json(text)
    try:
        whole = json.loads(text, parse_constant=lambda _: 1 / 0)
        sound = whole["passed"] is True
    except (ValueError, ZeroDivisionError):
        sound = False
    # As a connector makes data of a text, as an agent without data answers.
    for data in ({"data": found.value} if found else {}, {}):
        assert (vote(text, **data).passed is True) is sound, text
