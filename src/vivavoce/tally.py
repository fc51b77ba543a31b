"""The run's totals, kept as results pass by."""

from datetime import UTC, datetime
from time import perf_counter

from vivavoce.model.message import Usage
from vivavoce.model.result import CaseResult, Status, Summary


class Tally:
    """Counts; keeps no result."""

    def __init__(self, selected: int = 0) -> None:
        self._selected = selected
        self._began = perf_counter()
        self._first_ms = self._last_ms = 0.0
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
            if attempt.started_ms:
                self._first_ms = min(self._first_ms or attempt.started_ms, attempt.started_ms)
                self._last_ms = max(self._last_ms, attempt.started_ms + attempt.duration_ms)
            for turn in attempt.transcript.turns:
                if (usage := turn.reply.usage) is not None:
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
        """The totals of a run that ends now."""
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return self._summary(interrupted, (perf_counter() - self._began) * 1000, now)

    def recounted(self, selected: int, interrupted: str) -> Summary:
        """The totals of results read back; the time is the one between the first start and the last end."""
        self._selected = selected
        return self._summary(interrupted, self._last_ms - self._first_ms, "")

    def _summary(self, interrupted: str | None, duration_ms: float, completed_at: str) -> Summary:
        counts = self._by_status
        finished = sum(counts.values())
        return Summary(
            total=max(self._selected, finished),
            passed=counts[Status.PASSED],
            failed=counts[Status.FAILED],
            errors=counts[Status.ERROR],
            timeouts=counts[Status.TIMEOUT],
            skipped=counts[Status.SKIPPED],
            not_run=max(self._selected - finished, 0),
            total_turns=self._turns,
            total_runs=self._runs,
            passed_runs=self._passed_runs,
            stable_cases=self._stable,
            unstable_cases=self._unstable,
            duration_ms=duration_ms,
            completed_at=completed_at,
            usage=self._usage,
            faults=self._faults,
            interrupted=interrupted,
        )
