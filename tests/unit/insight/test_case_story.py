from typing import Any

from vivavoce.insight.case_story import reply_groups, turning_points
from vivavoce.model.result import Status
from vivavoce.results.history.facts import AttemptFact, CaseFacts

P, F, E = Status.PASSED, Status.FAILED, Status.ERROR


def fact(second: int, status: Status, **more: Any) -> CaseFacts:
    known: dict[str, Any] = {"case_hash": "c", "configuration_hash": "g", "source_hash": "s", "reply_digest": "r"}
    return CaseFacts(
        key="t.jsonl::a",
        case_id="a",
        agent="shop",
        started_ms=second,
        status=status,
        attempts=(AttemptFact(status),),
        **{**known, **more},
    )


def test_the_newest_change_between_passing_and_not_comes_first():
    points = turning_points([fact(1, P), fact(2, P), fact(3, F), fact(4, E), fact(5, P)])
    assert [(point.before.started_ms, point.after.started_ms) for point in points] == [(4, 5), (2, 3)]


def test_a_change_names_what_was_another_one():
    (point,) = turning_points([fact(1, P), fact(2, F, case_hash="other", source_hash="new")])
    assert point.changed == ("case", "code")
    (same,) = turning_points([fact(1, P, source_hash=None), fact(2, F, source_hash=None)])
    assert same.changed == ()
    assert not same.known


def test_replies_are_grouped_the_most_frequent_first():
    facts = [fact(1, P), fact(2, F, reply_digest="x"), fact(3, P), fact(4, P, reply_digest="")]
    groups = reply_groups(facts)
    assert [(group.digest, group.times, group.passed) for group in groups] == [("r", 2, 2), ("x", 1, 0)]
    assert groups[0].last.started_ms == 3
