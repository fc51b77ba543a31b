"""A check that says it does not apply: never a pass, and never hides what went wrong."""

import pytest

from vivavoce.engine.attempt.judging import _negated
from vivavoce.engine.attempt.outcome import Ruling, rule
from vivavoce.model.case import Case
from vivavoce.model.result import Status
from vivavoce.model.transcript import Ending, EndReason, Transcript
from vivavoce.model.verdict import Verdict, broken, failed, passed, skipped

DONE = Transcript(ending=Ending(EndReason.COMPLETED))


def ruled(*verdicts: Verdict) -> Ruling:
    return rule(Case(id="T"), DONE, verdicts, (), 30.0)


def test_a_skipped_check_makes_the_case_skipped_with_its_reason():
    assert ruled(passed(), skipped("not here")) == Ruling(Status.SKIPPED, None, "not here")


@pytest.mark.parametrize(("worse", "status"), [(failed("no"), Status.FAILED), (broken("no"), Status.ERROR)])
def test_what_failed_or_broke_is_not_hidden_by_a_skip(worse: Verdict, status: Status):
    assert ruled(skipped("not here"), worse).status is status


def test_negating_a_skipped_check_leaves_it_skipped():
    assert _negated(skipped("not here"), None) == skipped("not here")


def test_a_broken_check_may_name_whose_fault_it_is():
    assert ruled(broken("no", fault="judge")).fault == "judge"
    assert ruled(broken("no", fault="the weather")).fault == "test"
