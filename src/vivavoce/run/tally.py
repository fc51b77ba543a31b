"""The run's totals, kept as results pass by."""

from datetime import UTC, datetime
from time import perf_counter

from vivavoce.model.message import Usage
from vivavoce.model.result import CaseResult, Status, Summary


class Tally:
    """Counts; keeps no result."""

    def __init__(self, selected: int) -> None:
        self._selected = selected
        self._began = perf_counter()
        self._by_status = dict.fromkeys(Status, 0)
        self._turns = 0
        self._runs = 0
        self._passed_runs = 0
        self._stable = 0
        self._unstable = 0
        self._usage: Usage | None = None
        self._faults: dict[str, int] = {}

    def add(self, result: CaseResult) -> None:
        self._by_status[result.status] += 1
        for attempt in result.attempts:
            self._turns += len(attempt.transcript.turns)
            if (usage := attempt.usage) is not None:
                self._usage = usage.plus(self._usage)
            if attempt.status is not Status.SKIPPED:
                self._runs += 1
                self._passed_runs += attempt.status is Status.PASSED
        if (fault := result.decisive.fault) is not None:
            self._faults[fault] = self._faults.get(fault, 0) + 1
        if result.stability is not None:
            self._stable += result.stability.stable
            self._unstable += not result.stability.stable

    @property
    def unsuccessful(self) -> int:
        return sum(self._by_status[s] for s in (Status.FAILED, Status.ERROR, Status.TIMEOUT))

    def summary(self, interrupted: str | None = None) -> Summary:
        counts = self._by_status
        return Summary(
            total=self._selected,
            passed=counts[Status.PASSED],
            failed=counts[Status.FAILED],
            errors=counts[Status.ERROR],
            timeouts=counts[Status.TIMEOUT],
            skipped=counts[Status.SKIPPED],
            not_run=self._selected - sum(counts.values()),
            total_turns=self._turns,
            total_runs=self._runs,
            passed_runs=self._passed_runs,
            stable_cases=self._stable,
            unstable_cases=self._unstable,
            duration_ms=(perf_counter() - self._began) * 1000,
            completed_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            usage=self._usage,
            faults=self._faults,
            interrupted=interrupted,
        )
