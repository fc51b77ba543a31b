"""How a contender did, in numbers."""

import pytest

from vivavoce.model.message import Usage
from vivavoce.model.result import Status
from vivavoce.results.contest.entry import Entry, Tried
from vivavoce.results.contest.standing import mean_of, standing_of

PAID = Usage(10, 5, 0.25)


def entry(*tried: Tried, status: Status = Status.PASSED) -> Entry:
    return Entry(label="x", key="k", id="k", status=status, tried=tried, position=0)


def passed(ms: float = 100.0, usage: Usage | None = PAID) -> Tried:
    return Tried(True, ms, usage)


def failed(ms: float = 100.0, usage: Usage | None = PAID) -> Tried:
    return Tried(False, ms, usage)


def test_skipped_cases_do_not_count():
    found = standing_of("x", [entry(passed()), entry(failed(), status=Status.FAILED), entry(status=Status.SKIPPED)])
    assert (found.cases, found.passed, found.pass_rate, found.unsuccessful) == (2, 1, 0.5, 1)
    assert found.statuses == {Status.PASSED: 1, Status.FAILED: 1, Status.SKIPPED: 1}
    assert found.ci_low < 0.5 < found.ci_high


def test_nothing_judged_has_no_rate():
    found = standing_of("x", [entry(status=Status.SKIPPED)])
    assert (found.pass_rate, found.p50_ms, found.cost, found.tokens, found.pass_hat) == (None, None, None, None, ())


def test_times_tokens_and_cost_are_of_all_runs():
    found = standing_of("x", [entry(passed(10), passed(30)), entry(passed(20))])
    assert (found.runs, found.passed_runs, found.p50_ms) == (3, 3, 20)
    assert (found.tokens, found.cost, found.cost_is_partial) == (45, 0.75, False)
    assert found.cost_per_pass == 0.25


def test_failed_runs_make_a_pass_dearer():
    found = standing_of("x", [entry(passed(), failed(), failed(), failed(), status=Status.FAILED)])
    assert found.cost_per_pass == 1.0


def test_a_cost_that_is_known_of_some_runs_only_is_partial():
    found = standing_of("x", [entry(passed(), passed(usage=None))])
    assert (found.cost, found.cost_is_partial, found.cost_per_pass) == (0.25, True, None)
    unknown = standing_of("x", [entry(passed(usage=None))])
    assert (unknown.cost, unknown.cost_is_partial) == (None, False)


def test_pass_hat_goes_as_far_as_every_case_was_repeated():
    found = standing_of("x", [entry(passed(), passed(), failed()), entry(passed(), passed())])
    assert len(found.pass_hat) == 2
    assert found.pass_hat == pytest.approx(((2 / 3 + 1) / 2, (1 / 3 + 1) / 2))


def test_a_mean_needs_every_value():
    assert mean_of([passed(10), passed(20)], "duration_ms") == 15
    assert mean_of([passed(), passed()], "tokens") == 15
    assert mean_of([passed(), passed(usage=Usage(1, 1))], "cost") is None
    assert mean_of([passed(), passed(usage=None)], "tokens") is None
    assert mean_of([], "duration_ms") is None
