"""Judges and people side by side: by conversation, judge, criterion and place."""

from typing import Any

from msgspec import structs

from vivavoce.insight.calibration.conversations import Conversation
from vivavoce.insight.calibration.labels import Label, Labels
from vivavoce.insight.calibration.ratings import Ratings
from vivavoce.model.case import AssertionSpec, Case, Origin
from vivavoce.model.result import Attempt, Status
from vivavoce.model.verdict import Verdict, broken, failed, passed


def said(verdict: Verdict, criterion: str = "polite", request: str = "r1") -> Verdict:
    spec = AssertionSpec(type="agent", fields={"value": criterion})
    return structs.replace(verdict, spec=spec, details={"request_digest": request})


def talk(*verdicts: Verdict, digest: str = "f1") -> Conversation:
    attempt = Attempt(status=Status.PASSED, verdicts=verdicts)
    return Conversation(Case(id="A", origin=Origin("a.jsonl", 1)), attempt, digest)


def ratings(*labels: dict[str, Any]) -> Ratings:
    return Ratings(Labels([Label(**{"case": "A", "label": "pass", **label}) for label in labels]))


def test_a_verdict_meets_the_label_of_its_conversation():
    found = ratings({"conversation": "f1", "label": "fail"})
    found.add(talk(said(passed())))
    found.add(talk(said(passed()), digest="f2"))
    assert [(one.person, one.verdict) for one in found] == [(False, True)]
    assert found.unlabelled == 1


def test_the_same_question_asked_again_is_a_repeat_of_the_first():
    found = ratings({})
    found.add(talk(said(passed())))
    found.add(talk(said(failed("no"))))
    found.add(talk(said(broken("down", fault="judge"))))
    (one,) = found
    assert [each.passed for each in one.said] == [True, False]
    assert one.broken == 1


def test_a_changed_judge_replaces_what_it_said_before():
    found = ratings({})
    found.add(talk(said(passed(), request="r1")))
    found.add(talk(said(failed("no"), request="r2")))
    (one,) = found
    assert [each.passed for each in one.said] == [False]


def test_one_label_for_several_criteria_is_noticed():
    found = ratings({})
    found.add(talk(said(passed()), said(failed("no"), "short")))
    assert found.one_label_for_several_criteria == 1
    by_criterion = ratings({"criterion": "polite"}, {"criterion": "short", "label": "fail"})
    by_criterion.add(talk(said(passed()), said(failed("no"), "short")))
    assert by_criterion.one_label_for_several_criteria == 0
    assert [(one.criterion, one.person, one.verdict) for one in by_criterion] == [
        ("polite", True, True),
        ("short", False, False),
    ]
