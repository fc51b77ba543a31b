"""Counts the totals of a run, one result at a time."""

from collections.abc import Iterator
from datetime import UTC, datetime
from time import perf_counter

from vivavoce.model.message import Usage
from vivavoce.model.result import NOT_JUDGED, UNSUCCESSFUL, Attempt, CaseResult, Status, Summary
from vivavoce.model.transcript import EndReason, Transcript
from vivavoce.model.written_checks import checks_nothing

# Looked up once: access to enum members is slow, and every result is counted here.
_PASSED, _SKIPPED = Status.PASSED, Status.SKIPPED
NO_VERDICT = "ended without a verdict"
_MOST_NAMED = 5
_PASSES_ANYWAY = "whatever the agent answers"
_SAID_NOTHING = "although the agent answered nothing"
NOTHING_TESTED = "everything was skipped: nothing was tested"
_NOT_TIDIED_UP = "whose `after` failed"
AFTER_FAILED = "after hook"
"""The beginning of an attempt's warning that its `after` failed."""
COUNTED_ANEW = (NO_VERDICT, _PASSES_ANYWAY, _SAID_NOTHING, _NOT_TIDIED_UP, NOTHING_TESTED)
"""Parts of the warnings that a tally makes: merging runs drops these warnings and counts again."""
_WITHOUT_VERDICT = {
    EndReason.MISSING_INPUT_SKIP: "nobody had the next line (--on-missing-input fail makes that red)",
}


class _NamedCases:
    """Counts what a warning is about, and keeps the ids of the first cases."""

    def __init__(self) -> None:
        self.count = 0
        self._ids: list[str] = []
        self._has_more = False

    def add(self, case_id: str) -> None:
        self.count += 1
        if case_id not in self._ids:
            if len(self._ids) < _MOST_NAMED:
                self._ids.append(case_id)
            else:
                self._has_more = True

    def __str__(self) -> str:
        return ", ".join(self._ids) + (", …" if self._has_more else "")


class Tally:
    """Counts results without keeping them."""

    def __init__(self, selected: int = 0) -> None:
        self._selected = selected
        self._began = perf_counter()
        self._first_ms = self._last_ms = 0.0
        self._passed = 0
        self._not_passed = dict.fromkeys(Status, 0)
        self._turns = 0
        self._passed_runs = self._other_runs = 0
        self._stable = 0
        self._unstable = 0
        self._quarantined = 0
        self._unchecked, self._silent, self._untidy = _NamedCases(), _NamedCases(), _NamedCases()
        self._has_usage = False
        self._input_tokens = self._output_tokens = 0
        self._cost: float | None = None
        self._faults: dict[str, int] = {}
        self._broken_off = dict.fromkeys(_WITHOUT_VERDICT, 0)

    def start_clock(self) -> None:
        """Starts the run's time now: what was done before does not count."""
        self._began = perf_counter()

    def add(self, result: CaseResult) -> None:
        decisive = result.decisive
        for attempt in result.attempts:
            self._add_attempt(attempt)
            if attempt.warnings and any(words.startswith(AFTER_FAILED) for words in attempt.warnings):
                self._untidy.add(result.case.id)
        if result.status is _PASSED:
            self._passed += 1
            if checks_nothing(result):
                self._unchecked.add(result.case.id)
            if _answered_nothing(decisive.transcript):
                self._silent.add(result.case.id)
        else:
            self._not_passed[result.status] += 1
            if result.quarantine is not None and result.status in UNSUCCESSFUL:
                self._quarantined += 1
            ending = decisive.transcript.ending
            if result.status is _SKIPPED and ending is not None and ending.reason in _WITHOUT_VERDICT:
                self._broken_off[ending.reason] += 1
        if (fault := decisive.fault) is not None:
            self._faults[fault] = self._faults.get(fault, 0) + 1
        if (stability := result.stability) is not None:
            self._stable += stability.stable
            self._unstable += not stability.stable

    def _add_attempt(self, attempt: Attempt) -> None:
        if began_ms := attempt.started_ms:
            if began_ms < self._first_ms or not self._first_ms:
                self._first_ms = began_ms
            if (ended_ms := attempt.ended_ms) > self._last_ms:
                self._last_ms = ended_ms
        for turn in attempt.transcript.turns:
            self._turns += 1
            if (usage := turn.reply.usage) is not None:
                # As Usage.plus, without a new object for every reply.
                self._has_usage = True
                self._input_tokens += usage.input_tokens
                self._output_tokens += usage.output_tokens
                if usage.cost is not None:
                    self._cost = usage.cost + (self._cost or 0.0)
        if (status := attempt.status) is _PASSED:
            self._passed_runs += 1
        elif status not in NOT_JUDGED:
            self._other_runs += 1

    def summary(self, interrupted: str | None = None) -> Summary:
        """Returns the totals of a run that ends now."""
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return self._summary(interrupted, (perf_counter() - self._began) * 1000, now)

    def recounted(self, selected: int, interrupted: str) -> Summary:
        """Returns the totals of results read back; the duration is from the first start to the last end."""
        self._selected = selected
        return self._summary(interrupted, self._last_ms - self._first_ms, "")

    def _summary(self, interrupted: str | None, duration_ms: float, completed_at: str) -> Summary:
        counts = self._not_passed
        finished = self._passed + sum(counts.values())
        total = max(self._selected, finished)
        nothing_tested = (NOTHING_TESTED,) if total and counts[_SKIPPED] == total else ()
        doubtful = (*self._nothing_checked(), *self._nothing_answered(), *self._not_tidied_up())
        return Summary(
            total=total,
            passed=self._passed,
            failed=counts[Status.FAILED],
            errors=counts[Status.ERROR],
            timeouts=counts[Status.TIMEOUT],
            skipped=counts[Status.SKIPPED],
            not_run=counts[Status.NOT_RUN] + max(self._selected - finished, 0),
            total_turns=self._turns,
            total_runs=self._passed_runs + self._other_runs,
            passed_runs=self._passed_runs,
            stable_cases=self._stable,
            unstable_cases=self._unstable,
            duration_ms=round(duration_ms, 3),
            completed_at=completed_at,
            usage=Usage(self._input_tokens, self._output_tokens, self._cost) if self._has_usage else None,
            faults=self._faults,
            interrupted=interrupted,
            warnings=(*self._without_verdict(), *doubtful, *nothing_tested),
            quarantined=self._quarantined,
            unchecked=self._unchecked.count,
        )

    def _without_verdict(self) -> Iterator[str]:
        """Warns of cases that began and were then skipped: they are green, and a reader must know of them."""
        for reason, count in self._broken_off.items():
            if count:
                yield f"{count:,} {'case' if count == 1 else 'cases'} {NO_VERDICT}: {_WITHOUT_VERDICT[reason]}"

    def _nothing_checked(self) -> Iterator[str]:
        if count := self._unchecked.count:
            cases = "1 case checks nothing: it passes" if count == 1 else f"{count:,} cases check nothing: they pass"
            yield f"{cases} {_PASSES_ANYWAY} ({self._unchecked})"

    def _nothing_answered(self) -> Iterator[str]:
        if count := self._silent.count:
            yield f"{count:,} {'case' if count == 1 else 'cases'} passed {_SAID_NOTHING} ({self._silent})"

    def _not_tidied_up(self) -> Iterator[str]:
        """Warns of attempts that left something behind, which may change later attempts."""
        if count := self._untidy.count:
            attempts = f"{count:,} {'attempt' if count == 1 else 'attempts'}"
            yield f"{attempts} {_NOT_TIDIED_UP}: what was left behind may change later results ({self._untidy})"


def _answered_nothing(transcript: Transcript) -> bool:
    """Whether a turn has an empty reply."""
    for turn in transcript.turns:  # noqa: SIM110 - a generator costs three times as much, and every result comes here
        if not turn.reply.text and turn.reply.is_silent:
            return True
    return False
