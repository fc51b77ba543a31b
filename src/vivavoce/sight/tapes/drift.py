"""How a replay differs from its tape: misses, changed requests, recorded calls that nobody asked for, old tapes."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

from vivavoce.protocols import WatchEnd
from vivavoce.sight.dialects.dialect import NAMES
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.differing import first_difference
from vivavoce.sight.tapes.tape_settings import DriftRule
from vivavoce.wording.plurals import counted

DRIFT = "tape: "
"""The prefix of every warning of an attempt about its tape."""
_WORDS = {
    "model": "the model",
    "system": "the system prompt",
    "tools": "the tool definitions",
    "params": "the parameters",
    "talk": "tool results",
}


class Drift:
    """Collects the differences over the attempts of a run."""

    def __init__(self, rule: DriftRule, max_age_days: int) -> None:
        self._rule = rule
        self._max_age_days = max_age_days
        self._lock = threading.Lock()
        self.attempts = 0
        self.replayed = 0
        self.recorded = 0
        self.misses = 0
        self._changed: dict[str, set[str]] = {}
        """Section → the cases in which it differs."""
        self._shown: dict[str, str] = {}
        """Section → its first difference."""
        self._unused: set[str] = set()
        self.stale: set[str] = set()
        """The keys (`path::id`) of cases whose requests differ from the recording."""

    def ended(self, tape: AttemptTape) -> WatchEnd:
        """The result of an attempt's replay: an error for a miss, warnings or a failure for drift."""
        with self._lock:
            self.attempts += 1
            self.replayed += tape.replayed
            self.recorded += tape.kept
            self.misses += len(tape.misses)
            if not tape.replays:
                return WatchEnd()
            if (problem := _problem(tape)) is not None:
                self.stale.add(tape.key)
                return WatchEnd(problem=problem)
            notes = list(self._notes(tape))
        if not notes or self._rule == "ignore":
            return WatchEnd()
        if self._rule == "fail":
            return WatchEnd(problem=f"the tape has drifted: {'; '.join(notes)} (--drift fail)")
        return WatchEnd(warnings=tuple(f"{DRIFT}{note}" for note in notes))

    def _notes(self, tape: AttemptTape) -> Iterator[str]:
        differing: dict[str, str] = {}
        for entry, wanted, sections in tape.loose:
            for name in sections:
                was, now = tape.recorded_sections(entry), wanted.sections
                differing.setdefault(name, first_difference(getattr(was, name), getattr(now, name)))
        for name in NAMES:
            if name in differing:
                self._changed.setdefault(name, set()).add(tape.case)
                self._shown.setdefault(name, differing[name])
                if name != "talk":  # tools run again in every replay, and their results may contain another time
                    self.stale.add(tape.key)
                yield f"{_WORDS[name]} changed since the recording: {differing[name]}"
        if unused := tape.unused():
            self._unused.add(tape.case)
            self.stale.add(tape.key)
            yield f"{counted(len(unused), 'recorded call')} nobody asked for"
        days = max((_age_days(entry.at) for entry in tape.answered), default=0)
        if self._max_age_days and days > self._max_age_days:
            self.stale.add(tape.key)
            yield f"recorded {counted(days, 'day')} ago, more than replay.max_age_days ({self._max_age_days})"

    def report(self) -> list[str]:
        """The drift of the whole run in a few lines; empty when there is none."""
        lines: list[str] = []
        if self._rule == "ignore":
            return lines
        if self.misses:
            lines.append(f"tapes: {counted(self.misses, 'call')} had no recording")
        for name, cases in self._changed.items():
            of_all = f"{len(cases)} of {counted(self.attempts, 'attempt')}"
            lines.append(f"tapes: {_WORDS[name]} changed in {of_all}: {self._shown[name]}")
        if self._unused:
            lines.append(f"tapes: recorded calls nobody asked for in {counted(len(self._unused), 'case')}")
        return lines


def _problem(tape: AttemptTape) -> str | None:
    if tape.misses:
        more = f" (and {counted(len(tape.misses) - 1, 'more miss', 'more misses')})" if len(tape.misses) > 1 else ""
        return f"{tape.misses[0]}{more}"
    if not tape.is_on_tape and not tape.records:
        return f"case {tape.case!r} is not on the tape (run {tape.run}); record it: {tape.re_record}"
    if tape.recorded_calls and not tape.calls:
        return (
            f"the tape has {counted(tape.recorded_calls, 'model call')} of this case, and viva saw none: "
            "the agent does not use the base URL that it is given"
        )
    return None


def _age_days(at: str) -> int:
    try:
        return (datetime.now(UTC) - datetime.fromisoformat(at)).days
    except (ValueError, TypeError):
        return 0
