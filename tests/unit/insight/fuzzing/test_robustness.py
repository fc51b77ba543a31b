"""Scores per operator."""

import pytest

from vivavoce.insight.fuzzing.hostile import HOSTILE
from vivavoce.insight.fuzzing.preserving import PRESERVING
from vivavoce.insight.fuzzing.robustness import OperatorScore, is_find, scores_of
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.model.verdict import Fault


def result(status: Status, fault: Fault | None = None) -> CaseResult:
    return CaseResult(case=Case(id="T"), status=status, attempts=(Attempt(status=status, fault=fault),))


@pytest.mark.parametrize(
    ("status", "fault", "found"),
    [
        (Status.PASSED, None, False),
        (Status.FAILED, "agent", True),
        (Status.TIMEOUT, "agent", True),
        (Status.ERROR, "target", True),
        (Status.ERROR, "judge", False),
        (Status.ERROR, "test", False),
        (Status.NOT_RUN, None, False),
    ],
)
def test_what_is_a_find(status, fault, found):
    assert is_find(result(status, fault)) is found


def test_the_table():
    typos, hostile = PRESERVING[0], HOSTILE[0]
    came = [
        (hostile, result(Status.PASSED)),
        (typos, result(Status.PASSED)),
        (typos, result(Status.FAILED, "agent")),
        (typos, result(Status.ERROR, "judge")),
        (typos, result(Status.NOT_RUN)),
    ]
    first, second = scores_of(came)
    assert first == OperatorScore("typos", "meaning", held=1, finds=1, unclear=1, not_run=1)
    assert (first.share, second.share) == (50.0, 100.0)
    assert OperatorScore("typos", "meaning").share is None
