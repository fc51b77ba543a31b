"""Scores in a temporary file behave as a list of them."""

import tracemalloc

import pytest

from vivavoce.insight.mutants.kept_scores import KeptScores
from vivavoce.insight.mutants.score import CaseScore, Counts, MutationReport, Survivor
from vivavoce.model.mutant_kinds import MutantKind


def score(number: int, before: str = "was") -> CaseScore:
    survivor = Survivor(
        kind=MutantKind.REPLY_CUT,
        turn=1,
        element="reply",
        change="cut off",
        before=before,
        suggestion={"type": "contains", "value": ["ü", 2**70, None]},
    )
    kinds = {MutantKind.REPLY_CUT: Counts(2, 1), MutantKind.TURN_SLOWER: Counts(unlimited=1)}
    return CaseScore(key=f"a::T{number}", id=f"T{number}", file="a", run=1, kinds=kinds, survivors=(survivor,))


def kept(count: int) -> KeptScores:
    scores = KeptScores()
    for number in range(count):
        scores.add(score(number))
    return scores


def test_what_is_read_is_what_was_added():
    scores = kept(5)
    assert list(scores) == [score(number) for number in range(5)]
    assert (len(scores), scores[0], scores[-1]) == (5, score(0), score(4))
    assert scores == kept(5) == [score(number) for number in range(5)]
    assert scores != kept(4)
    assert scores[1:3] == [score(1), score(2)]
    with pytest.raises(IndexError):
        scores[5]
    with pytest.raises(IndexError):
        kept(0)[0]


def test_reading_and_adding_in_turn():
    scores = KeptScores()
    for number in range(4):
        scores.add(score(number))
        assert scores[0] == score(0)
    first, second = iter(scores), iter(scores)
    assert [next(first), next(second), next(first)] == [score(0), score(0), score(1)]


def test_a_report_counts_them():
    report = MutationReport(cases=kept(3))
    assert report.counts == Counts(6, 3, 0, 3)
    assert list(report.kinds) == [MutantKind.REPLY_CUT, MutantKind.TURN_SLOWER]


def test_a_long_run_does_not_fill_the_memory():
    tracemalloc.start()
    try:
        scores = KeptScores()
        for number in range(5_000):
            scores.add(score(number, "x" * 2_000))
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(scores) == 5_000
    assert used < 3_000_000
