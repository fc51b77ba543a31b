"""How each contender did, in numbers."""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from vivavoce.model.result import NOT_JUDGED, Status
from vivavoce.results.contest.entry import Entry, Tried
from vivavoce.statistics.percentiles import percentile
from vivavoce.statistics.proportions import pass_hat_k, wilson_interval


class Standing(Struct, frozen=True, kw_only=True):
    """One contender over all its cases. Rates are shares between 0 and 1."""

    label: str
    statuses: dict[Status, int]
    cases: int
    """How many were judged: neither skipped nor left out."""
    passed: int
    pass_rate: float | None
    """Passed ÷ judged cases; None when none was judged."""
    ci_low: float
    ci_high: float
    """The Wilson 95 % interval of the pass rate."""
    runs: int
    passed_runs: int
    pass_hat: tuple[float, ...]
    """The chance that k runs of a case all pass, for k = 1, 2, … up to the runs that every case had."""
    p50_ms: float | None
    p95_ms: float | None
    """How long the agent took for one run of a case."""
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    """What the agent's answers cost, judges and simulators left out; None when no price is known."""
    cost_is_partial: bool
    """Whether the cost of some runs is unknown, so that the real cost is higher."""

    @property
    def tokens(self) -> int | None:
        return None if self.input_tokens is None else self.input_tokens + (self.output_tokens or 0)

    @property
    def cost_per_pass(self) -> float | None:
        """The cost of all runs for each run that passed; None where it is not known."""
        if self.cost is None or self.cost_is_partial or not self.passed_runs:
            return None
        return self.cost / self.passed_runs

    @property
    def unsuccessful(self) -> int:
        return self.cases - self.passed


def standing_of(label: str, entries: Sequence[Entry]) -> Standing:
    statuses = {status: count for status in Status if (count := sum(one.status is status for one in entries))}
    judged = [one for one in entries if one.status not in NOT_JUDGED]
    passed = statuses.get(Status.PASSED, 0)
    low, high = wilson_interval(passed, len(judged))
    tried = [one for entry in judged for one in entry.tried]
    durations = sorted(one.duration_ms for one in tried)
    used = [one.usage for one in tried if one.usage is not None]
    costs = [usage.cost for usage in used if usage.cost is not None]
    return Standing(
        label=label,
        statuses=statuses,
        cases=len(judged),
        passed=passed,
        pass_rate=passed / len(judged) if judged else None,
        ci_low=low,
        ci_high=high,
        runs=len(tried),
        passed_runs=sum(one.passed for one in tried),
        pass_hat=tuple(_pass_hats(judged)),
        p50_ms=percentile(durations, 50),
        p95_ms=percentile(durations, 95),
        input_tokens=sum(usage.input_tokens for usage in used) if used else None,
        output_tokens=sum(usage.output_tokens for usage in used) if used else None,
        cost=math.fsum(costs) if costs else None,
        cost_is_partial=0 < len(costs) < len(tried),
    )


def _pass_hats(judged: Sequence[Entry]) -> Iterator[float]:
    runs = [one for one in judged if one.runs]
    for k in range(1, min((one.runs for one in runs), default=0) + 1):
        yield math.fsum(pass_hat_k(one.passed, one.runs, k) for one in runs) / len(runs)


def mean_of(tried: Sequence[Tried], value: str) -> float | None:
    """Returns the mean `duration_ms`, `tokens` or `cost` of attempts; None when one of them is not known."""
    values = [_value(one, value) for one in tried]
    known = [one for one in values if one is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None


def _value(one: Tried, value: str) -> float | None:
    if value == "duration_ms":
        return one.duration_ms
    if one.usage is None:
        return None
    return one.usage.cost if value == "cost" else float(one.usage.input_tokens + one.usage.output_tokens)
