"""Errors for people: what, where, what to do; and the exit code a run ends in."""

import pytest

from vivavoce.errors import CallFailed, ManyProblems, TurnedAway, UsageError, VivaError, did_you_mean, exit_code_of
from vivavoce.model.case import Origin
from vivavoce.model.result import Summary


def test_an_error_says_where_what_and_what_to_do():
    assert str(UsageError("bad id", at=Origin("a.jsonl", 3), hint="use letters")) == "a.jsonl:3: bad id (use letters)"
    assert str(UsageError("bad id", at=Origin())) == "bad id"
    assert str(VivaError("it broke")) == "it broke"


def test_exit_codes_tell_the_user_s_mistake_from_ours():
    assert (UsageError("x").exit_code, VivaError("x").exit_code, CallFailed("x", fault="agent").exit_code) == (2, 3, 3)


def test_many_problems_are_shown_line_by_line():
    problems = [UsageError("one", at="a:1"), UsageError("two", at="a:2")]
    assert str(ManyProblems(problems)) == "a:1: one\na:2: two"
    assert ManyProblems(problems).exit_code == 2


def test_a_server_that_was_too_busy_may_be_asked_again():
    busy = TurnedAway("HTTP 429", status=429, retry_after_s=None)
    assert (busy.fault, busy.retryable) == ("target", True)
    assert not CallFailed("boom", fault="agent").retryable


def test_only_a_near_word_is_proposed():
    assert did_you_mean("contians", ["contains", "equals"]) == "did you mean 'contains'?"
    assert did_you_mean("CONTAINS", ["contains"]) == "did you mean 'contains'?"
    assert did_you_mean("must_contain", ["must_match", "must_not_match"]) == "did you mean 'must_match'?"
    assert did_you_mean("prompt", ["input", "name"]) == "did you mean 'input'?"
    assert did_you_mean("prompt", ["prompts"]) == "did you mean 'prompts'?"
    assert did_you_mean("xyz", ["contains", "equals"]) is None


@pytest.mark.parametrize(
    ("summary", "code"),
    [
        (Summary(total=2, passed=2), 0),
        (Summary(total=2, passed=1, skipped=1), 0),
        (Summary(total=2, passed=1, failed=1), 1),
        (Summary(total=2, passed=1, errors=1), 1),
        (Summary(total=2, passed=1, timeouts=1), 1),
        (Summary(total=2, passed=1, not_run=1), 1),
        (Summary(total=2, passed=2, interrupted="budget"), 1),
        (Summary(total=2, passed=1, failed=1, interrupted="ctrl-c"), 130),
    ],
)
def test_a_run_is_green_only_when_everything_ran_and_nothing_failed(summary: Summary, code: int):
    assert exit_code_of(summary) == code


def test_a_problem_keeps_its_own_place_and_takes_the_given_one_where_it_has_none():
    several = ManyProblems([UsageError("a", at="tests/a.yaml"), UsageError("b", hint="write c")])
    assert str(several.placed("viva.yaml")) == "tests/a.yaml: a\nviva.yaml: b (write c)"
    assert str(UsageError("b").placed("-n")) == "-n: b"
