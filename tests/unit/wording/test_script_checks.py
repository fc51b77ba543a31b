"""A script test reads as a list of checks."""

from typing import Any

from tests.fakes.result_builders import attempt, bare_turn, case, failed, passed, spec

from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.wording.results import assertion_counts, case_label, check_title, failures_of
from vivavoce.wording.script_checks import script_logs, shown_verdicts

WHOLE = spec("script_test")
CHECKS = [
    {"check": "Equal", "outcome": "passed", "reason": "the sum", "line": 7},
    {"check": "Contains", "outcome": "failed", "reason": '"zzz" is not in "hello"', "line": 9},
]


def ran(verdict: Verdict, **record: Any) -> Attempt:
    turn = bare_turn("test_sums", 0.1, AgentReply(data={"test": "test_sums", **record}))
    return attempt(turn, seconds=0.1, verdicts=(verdict,))


def test_each_check_is_shown_and_counted():
    seen = ran(failed(WHOLE, "Contains: …"), checks=CHECKS, logs=["a line"])
    assert [check_title(verdict.spec) for verdict in shown_verdicts(seen)] == [
        "Equal: the sum (line 7)",
        "Contains (line 9)",
    ]
    assert assertion_counts(seen) == (1, 2)
    assert [failure.verdict.reason for failure in failures_of(seen)] == ['"zzz" is not in "hello"']
    assert script_logs(seen) == ["a line"]


def test_a_test_that_raised_keeps_the_verdict_on_the_whole():
    broken = Verdict(outcome=Outcome.BROKEN, reason="ValueError: boom", spec=WHOLE, fault="test")
    assert [v.outcome for v in shown_verdicts(ran(broken, checks=CHECKS[:1]))] == [Outcome.PASSED, Outcome.BROKEN]
    (whole,) = shown_verdicts(ran(broken))
    assert (check_title(whole.spec), whole.reason) == ("test", "ValueError: boom")


def test_a_test_without_a_check_shows_none():
    assert shown_verdicts(ran(passed(WHOLE))) == ()
    assert assertion_counts(ran(passed(WHOLE))) == (0, 0)


def test_other_cases_are_shown_as_they_were_judged():
    plain = attempt(bare_turn("hi", 0.1, AgentReply(text="x")), seconds=0.1, verdicts=(passed(spec("contains")),))
    assert shown_verdicts(plain) is plain.verdicts


def test_a_script_test_is_known_by_its_id_alone():
    function = case("expense.setup::test_sums", "test_sums", at="x_test.py:1", agent="script_tests:expense.setup")
    assert function.is_script_test
    assert case_label(function) == "[expense.setup::test_sums]"
