"""Agreement by judge and by criterion, with the doubts that belong to it."""

import pytest

from vivavoce.insight.calibration.judgements import Judgement, Vote
from vivavoce.insight.calibration.measures import Measure, measures
from vivavoce.insight.calibration.ratings import Rating
from vivavoce.insight.calibration.wording import markdown, measure_lines, title


def rating(
    judge: bool | None, person: bool, *more: bool, criterion: str = "polite", score: float | None = None
) -> Rating:
    votes = () if score is None else (Vote(True, score),)
    said = [Judgement("mine", criterion, one, "case 0", votes, 0.4) for one in (judge, *more) if one is not None]
    return Rating("mine", criterion, person, said, broken=int(judge is None))


def table(both_pass: int, lenient: int, strict: int, both_fail: int, criterion: str = "polite") -> list[Rating]:
    pairs = [((True, True), both_pass), ((True, False), lenient), ((False, True), strict), ((False, False), both_fail)]
    return [rating(judge, person, criterion=criterion) for (judge, person), n in pairs for _ in range(n)]


def only(ratings: list[Rating]) -> Measure:
    (found,) = measures(ratings)
    return found


def test_a_published_table():
    """Cohen's grant example: 20, 5, 10, 15 of 50; agreement 0.7, kappa 0.4."""
    found = only(table(20, 5, 10, 15))
    assert (found.agreement, found.kappa) == (pytest.approx(0.7), pytest.approx(0.4))
    assert (found.confusion.too_lenient, found.confusion.too_strict) == (5, 10)
    assert found.is_enough


def test_each_criterion_is_measured_after_the_whole_judge():
    found = measures([*table(5, 0, 0, 5), *table(0, 5, 5, 0, criterion="short")])
    assert [(one.criterion, one.kappa) for one in found] == [(None, 0.0), ("polite", 1.0), ("short", -1.0)]


def test_few_labels_and_one_sided_ones_are_said_plainly():
    assert "too few labels: 10" in only(table(5, 0, 0, 5)).doubts[0]
    lopsided = only(table(40, 1, 0, 0))
    assert lopsided.doubts == ["only 1 label is `fail`: label at least 5 of each"]


def test_a_judge_that_said_only_one_thing_has_no_kappa():
    found = only(table(40, 0, 0, 0))
    assert found.kappa is None
    assert "cannot be computed" in "\n".join(measure_lines(found))


@pytest.mark.parametrize("ratings", [table(20, 20, 0, 0), table(20, 0, 0, 20)])
def test_an_interval_without_width_is_none(ratings: list[Rating]):
    found = only(ratings)
    assert (found.kappa_low, found.kappa_high) == (None, None)
    assert "no interval can be computed" in "\n".join(measure_lines(found))


def test_answers_that_could_not_be_used_are_counted_and_do_not_agree():
    found = only([rating(None, True), *table(1, 0, 0, 0)])
    assert (found.labels, found.broken) == (1, 1)
    assert "no usable answer" in "\n".join(measure_lines(only([rating(None, True)])))


def test_the_best_threshold_is_found_among_the_scores():
    scored = [rating(True, score > 0.6, score=score) for score in (0.1, 0.3, 0.5, 0.7, 0.9)]
    best = only(scored).threshold
    assert best is not None
    assert (best.value, best.agreement, best.now) == (pytest.approx(0.6), 1.0, [0.4])


def test_asking_again_splits_noise_from_bias():
    repeats = only([rating(True, True, True, False), rating(True, False, True, True)]).repeats
    assert repeats is not None
    assert (repeats.noise, repeats.bias) == (pytest.approx(1 / 6), pytest.approx(1 / 2))


def test_a_table_for_people_to_read():
    found = measures(table(20, 5, 10, 15, criterion="a|b"))
    told = markdown(found, ["3 judged conversations have no label"])
    assert "| mine | a\\|b | 50 | 70.0 % | 0.40 (95 % interval 0.15 to 0.65) | 5 | 10 |" in told
    assert "* 3 judged conversations" in told
    assert title(found[0]) == "judge mine, criterion: a|b"
