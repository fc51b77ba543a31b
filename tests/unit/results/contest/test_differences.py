"""Which differences are called real: those that chance seldom makes, and that are big enough to matter."""

import random

from vivavoce.model.result import Status
from vivavoce.results.contest.differences import Difference, differences, fewest_one_sided
from vivavoce.results.contest.entry import Entry, Tried


def entry(label: str, case: int, passed: list[bool], ms: float = 100.0) -> Entry:
    return Entry(
        label=label,
        key=f"T{case}",
        id=f"T{case}",
        status=Status.PASSED if all(passed) else Status.FAILED,
        tried=tuple(Tried(one, ms) for one in passed),
        position=0,
    )


def compared(*contenders: list[Entry]) -> dict[tuple[str, str, str], Difference]:
    entries = {some[0].label: {one.key: one for one in some} for some in contenders}
    return {(one.first, one.second, one.measure): one for one in differences(list(entries), entries)}


def test_seven_cases_of_one_side_are_real_and_six_are_not():
    assert fewest_one_sided(tests=2, runs=1) == 7
    for lost, real in ((6, False), (7, True)):
        found = compared([entry("a", n, [True]) for n in range(20)], [entry("b", n, [n >= lost]) for n in range(20)])[
            "a", "b", "passed"
        ]
        assert (found.first_better, found.second_better, found.real) == (lost, 0, real)


def test_it_does_not_matter_who_is_named_first():
    good, bad = [entry("a", n, [True]) for n in range(9)], [entry("b", n, [False]) for n in range(9)]
    there, back = compared(good, bad)["a", "b", "passed"], compared(bad, good)["b", "a", "passed"]
    assert there.p == back.p
    assert (there.first_better, back.second_better) == (9, 9)


def test_with_more_runs_fewer_cases_are_enough():
    assert [fewest_one_sided(tests=2, runs=runs) for runs in (1, 3, 5)] == [7, 2, 1]


def test_a_tiny_slowdown_is_not_called_real_however_sure():
    slower = compared(
        [entry("a", n, [True], 100.0) for n in range(30)], [entry("b", n, [True], 102.0) for n in range(30)]
    )
    assert slower["a", "b", "duration"].p < 0.001
    assert not slower["a", "b", "duration"].real


def test_a_shift_is_told_as_a_share_of_the_first():
    found = compared(
        [entry("a", n, [True], 200.0) for n in range(30)], [entry("b", n, [True], 300.0) for n in range(30)]
    )["a", "b", "duration"]
    assert found.real
    assert round(found.shift, 6) == 0.5


def test_what_was_not_measured_or_not_run_by_both_is_not_tested():
    assert {key[2] for key in compared([entry("a", 1, [True])], [entry("b", 1, [True])])} == {"passed", "duration"}
    assert compared([entry("a", 1, [True])], [entry("b", 2, [True])]) == {}


def test_three_equal_agents_are_seldom_told_apart():
    """All tests of a comparison together may be wrong in 5 of 100; 200 comparisons of equal agents, seeded."""
    draw = random.Random(7)
    alarms = 0
    for _ in range(200):
        sides = [
            [
                entry(label, n, [draw.random() < rate for _ in range(3)], 1000 * draw.lognormvariate(0, 0.4))
                for n, rate in enumerate([0.3, 0.6, 0.9, 1.0] * 3)
            ]
            for label in "abc"
        ]
        alarms += any(one.real for one in compared(*sides).values())
    assert alarms <= 10
