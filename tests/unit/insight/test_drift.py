"""A run that took more than the last ten says so; one that did not, or may not have, keeps silent."""

import random

import pytest

from vivavoce.insight.drift import growth_in, growth_line
from vivavoce.results.history.pace_file import CasePace, RunPace


def run(number: int, cases: int, *, ms: float = 1_000.0, tokens: float = 100.0, cost: float | None = None) -> RunPace:
    return RunPace(f"r{number}", tuple(CasePace(f"a::T{case}", "shop", 7, ms, tokens, cost) for case in range(cases)))


def usual(cases: int, runs: int = 10, **taken: float) -> list[RunPace]:
    return [run(number, cases, **taken) for number in range(runs)]


def taken(draw: random.Random, case: int) -> CasePace:
    ms, tokens, cost = draw.lognormvariate(7, 0.6), abs(draw.gauss(400, 120)), abs(draw.gauss(1, 0.3))
    return CasePace(f"a::T{case}", "shop", 7, ms, tokens, cost)


def test_growth_in_every_case_is_told_in_one_line():
    grown = growth_in(run(99, 4, ms=1_500.0, tokens=170.0), usual(4))
    assert growth_line(grown) == (
        "slower (+50 %), wordier (+70 %) than the last 10 runs: 4 cases, each compared with itself"
    )
    dear = growth_in(run(99, 3, cost=0.02), usual(3, 9, cost=0.01))
    assert growth_line(dear).startswith("dearer (+100 %) than the last 9 runs: 3 cases")


def test_less_or_a_little_more_is_no_growth():
    assert growth_in(run(99, 50, ms=700.0, tokens=60.0), usual(50)) == []
    assert growth_in(run(99, 50, ms=1_040.0, tokens=104.0), usual(50)) == []
    assert growth_in(run(99, 50, ms=30.0), usual(50, ms=10.0)) == []


def test_a_single_case_or_two_earlier_runs_prove_nothing():
    assert growth_in(run(99, 1, tokens=500.0), usual(1)) == []
    assert growth_in(run(99, 20, tokens=500.0), usual(20, 2)) == []


def test_a_case_that_was_changed_is_another_one():
    now = run(99, 20, tokens=500.0)
    changed = tuple(CasePace(one.key, one.agent, 8, one.duration_ms, one.tokens) for one in now.cases)
    assert growth_in(RunPace("r99", changed), usual(20)) == []


def test_only_the_last_ten_runs_count_and_the_run_itself_does_not():
    dear = usual(20, 5, tokens=500.0)
    later = [run(10 + number, 20) for number in range(10)]
    now = run(99, 20, tokens=300.0)
    assert [one.grown for one in growth_in(now, [*dear, *later])] == ["wordier"]
    assert growth_in(now, [*dear, *later[1:]]) == []
    assert [one.runs for one in growth_in(now, [*later, now])] == [10]


def test_a_slow_hour_like_an_earlier_one_is_not_called_slower():
    assert growth_in(run(99, 30, ms=1_490.0), [*usual(30, 9), run(9, 30, ms=1_500.0)]) == []


@pytest.mark.fuzz
def test_runs_that_did_not_change_raise_an_alarm_in_at_most_five_percent():
    draw = random.Random(18)

    def drawn(number: int, cases: int) -> RunPace:
        return RunPace(f"r{number}", tuple(taken(draw, case) for case in range(cases)))

    for cases in (3, 12, 40):
        alarms = sum(
            bool(growth_in(drawn(99, cases), [drawn(number, cases) for number in range(10)])) for _ in range(200)
        )
        assert alarms <= 10, cases
