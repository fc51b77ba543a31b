"""Whole comparisons of simulated agents: false alarms are as rare, and drops as often seen, as promised."""

import random
from collections.abc import Sequence

import pytest

from vivavoce.insight.baselines.baseline import Baseline, BaselineCase
from vivavoce.insight.baselines.comparing import Standing, compare
from vivavoce.insight.baselines.unseen import case_power

COMPARISONS = 2_000
RATES = (1.0, 1.0, 1.0, 0.99, 0.99, 0.97, 0.95, 0.9, 0.8, 0.6)
"""A suite as people have it: most cases are steady, some are not."""


def simulated(draw: random.Random, rates: Sequence[float], runs: int) -> list[BaselineCase]:
    """A run in which each case has its own typical duration, tokens and cost, with noise as skewed as latency is."""
    cases: list[BaselineCase] = []
    for number, rate in enumerate(rates):
        scale = 200.0 * (number + 1)
        cases.append(
            BaselineCase(
                key=f"a.jsonl::T{number}",
                id=f"T{number}",
                agent="shop",
                case_hash="same",
                runs=runs,
                passed=sum(draw.random() < rate for _ in range(runs)),
                durations_ms=tuple(draw.lognormvariate(0, 0.8) * scale for _ in range(runs)),
                tokens=tuple(int(draw.gauss(1, 0.2) * scale) for _ in range(runs)),
                costs=tuple(abs(draw.gauss(1, 0.2)) * scale / 1e6 for _ in range(runs)),
            )
        )
    return cases


def comparison(draw: random.Random, before: int, after: int, changed: Sequence[float] = RATES):
    earlier = Baseline(name="main", cases=tuple(simulated(draw, RATES, before)))
    return compare(earlier, simulated(draw, changed, after))


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [(3, 3), (5, 5), (30, 3)])
def test_a_whole_comparison_raises_a_false_alarm_in_at_most_five_percent(before: int, after: int):
    draw = random.Random(before * 100 + after)
    alarms = sum(comparison(draw, before, after).regressed for _ in range(COMPARISONS))
    assert alarms <= 0.05 * COMPARISONS


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after", "rate"), [(3, 3, 0.2), (8, 8, 0.3), (30, 10, 0.4)])
def test_a_drop_is_seen_as_often_as_stated(before: int, after: int, rate: float):
    draw = random.Random(before + after)
    changed = (rate, *RATES[1:])
    seen = 0
    limit = None
    for _ in range(COMPARISONS):
        found = comparison(draw, before, after, changed)
        limit = found.case_limit / len(found.compared)
        seen += found.cases[0].standing is Standing.REGRESSION
    assert limit is not None
    assert seen / COMPARISONS == pytest.approx(case_power(before, after, 1.0, rate, limit), abs=0.03)
