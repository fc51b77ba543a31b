"""Attempts and results: which attempt explains a case, what it cost, which verdicts it holds."""

from tests.fakes.result_builders import attempt, bare_turn, case, failed, passed, result, spec, turn

from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.result import NOT_JUDGED, UNSUCCESSFUL, Status
from vivavoce.model.verdict import FAULTS


def test_the_first_attempt_with_the_status_of_the_case_explains_it():
    good, bad, worse = attempt(), attempt(status=Status.FAILED, run=2), attempt(status=Status.FAILED, run=3)
    assert result(case("x"), good, bad, worse, status=Status.FAILED).decisive is bad
    assert result(case("x"), good, bad, status=Status.PASSED).decisive is good


def test_without_such_an_attempt_the_first_explains_it():
    first = attempt()
    assert result(case("x"), first, attempt(run=2), status=Status.ERROR).decisive is first


def test_the_cost_of_an_attempt_is_that_of_all_its_turns_and_unknown_when_none_told():
    told = bare_turn("a", 1, AgentReply(usage=Usage(1, 2, 0.5)))
    silent = bare_turn("b", 1, AgentReply())
    assert attempt(told, silent, told).usage == Usage(2, 4, 1.0)
    assert attempt(silent).usage is None


def test_an_attempt_knows_every_verdict_in_the_order_it_was_given():
    check = spec("contains", value="x")
    in_turn, of_case, final = passed(check), failed(check, "no"), passed(check)
    all_of_it = attempt(turn(1, "a", verdicts=(in_turn,)), verdicts=(of_case,), final_verdicts=(final,))
    assert list(all_of_it.all_verdicts()) == [in_turn, of_case, final]


def test_the_output_is_that_of_the_last_turn():
    assert attempt().output is None
    assert attempt(turn(1, "a", "first"), turn(2, "b", "last")).output == "last"


def test_a_skipped_case_is_neither_a_success_nor_a_failure():
    assert set(Status) - UNSUCCESSFUL - NOT_JUDGED == {Status.PASSED}
    assert "agent" in FAULTS
