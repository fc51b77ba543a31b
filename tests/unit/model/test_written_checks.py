"""Which results passed though nothing of them was checked."""

import pytest
from tests.fakes.result_builders import bare_turn
from tests.fakes.results import attempt, case, passed, result, turn

from vivavoce.model.case import AssertionSpec
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Status
from vivavoce.model.tally import Tally
from vivavoce.model.written_checks import checks_nothing, written_checks

SAYS_HI = AssertionSpec(type="contains", fields={"value": "Hi"})
HELLO = turn(1, "Hello", "Hi")


def plain(case_id: str = "T1", **more):
    return case(case_id, "Hello", **{"at": "tests/a.jsonl:1", **more})


def test_a_case_without_a_check_checks_nothing():
    assert checks_nothing(result(plain(), attempt(HELLO)))
    assert written_checks(plain()) == 0


@pytest.mark.parametrize("more", [{"assertions": (SAYS_HI,)}, {"final_assertions": (SAYS_HI,)}, {"expected": None}])
def test_a_case_with_a_check_is_none_of_them(more):
    assert not checks_nothing(result(plain(**more), attempt(HELLO)))
    assert written_checks(plain(**more)) == 1


def test_a_verdict_counts_though_the_case_has_no_check_of_its_own():
    assert not checks_nothing(result(plain(), attempt(HELLO, verdicts=(passed(SAYS_HI),))))


@pytest.mark.parametrize(("checks", "nothing"), [([], True), ([{"check": "Equal", "outcome": "passed"}], False)])
def test_a_script_test_is_checked_by_the_checks_that_it_makes(checks: list[JsonObject], nothing: bool):
    function = AssertionSpec(type="script_test")
    ran = attempt(bare_turn("test_sums", 0.1, AgentReply(data={"checks": checks})), verdicts=(passed(function),))
    assert checks_nothing(result(plain(assertions=(function,)), ran)) == nothing


def test_what_did_not_pass_and_direct_messages_are_none_of_them():
    assert not checks_nothing(result(plain(), attempt(HELLO, status=Status.ERROR, error="boom")))
    assert not checks_nothing(result(plain(at="<message>:0"), attempt(HELLO)))


def test_they_are_counted_and_the_first_of_them_named_in_a_warning():
    tally = Tally()
    for number in range(7):
        tally.add(result(plain(f"T{number}"), attempt(HELLO)))
    summary = tally.summary()
    assert summary.unchecked == 7
    assert summary.warnings == ("7 cases check nothing: they pass whatever the agent answers (T0, T1, T2, T3, T4, …)",)


def test_cases_that_passed_although_the_agent_answered_nothing_are_named():
    tally = Tally()
    tally.add(result(plain("T1"), attempt(bare_turn("hi", 0.1, AgentReply()))))
    assert "1 case passed although the agent answered nothing (T1)" in tally.summary().warnings


def test_a_run_in_which_everything_was_skipped_says_so():
    tally = Tally()
    tally.add(result(plain("T1"), attempt(status=Status.SKIPPED)))
    summary = tally.summary()
    assert summary.tested_nothing
    assert summary.warnings == ("everything was skipped: nothing was tested",)
    tally.add(result(plain("T2"), attempt(HELLO)))
    assert not tally.summary().tested_nothing
