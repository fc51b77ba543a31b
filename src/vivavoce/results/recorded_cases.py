"""The attempts of recorded runs by the case they are of; read from their runs when they are asked for."""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.results.read_ahead import ReadAhead
from vivavoce.results.recorded_runs import RecordedResult, RecordedRuns

_KEPT_RESULTS = 16


class RecordedAttempt(Struct, frozen=True, gc=False):
    """One attempt of a recorded case, with the whole result that holds it and its line."""

    result: CaseResult
    attempt: Attempt
    line: bytes

    @property
    def case(self) -> Case:
        """As it read then."""
        return self.result.case


class _Recorded(Struct, gc=False):
    """Where a case is recorded. Most have one result only, and every recorded case has one of these in memory."""

    number: int
    """The number of its first result, in the order of recording."""
    attempts: int
    """In all results."""
    at_first: int
    """In the first result."""
    more: tuple[tuple[int, int], ...] = ()
    """The other results, each with its number of attempts."""
    was_asked_for: bool = False


class RecordedCases:
    """An index of recorded runs. A case that several runs hold has the attempts of all of them."""

    def __init__(self, runs: RecordedRuns) -> None:
        self._runs = runs
        self._cases: dict[str, _Recorded] = {}
        results = ReadAhead(runs)
        for place, head in runs.heads():
            key, attempts, number = head.key, head.attempts, results.add(place)
            known = self._cases.get(key)
            if known is None:
                self._cases[key] = _Recorded(number, attempts, attempts)
            else:
                known.more = (*known.more, (number, attempts))
                known.attempts += attempts
        self._result = results.result
        self._kept_result = lru_cache(_KEPT_RESULTS)(results.result)

    def __len__(self) -> int:
        return len(self._cases)

    def attempts(self, case: Case) -> int:
        """How often a case was recorded; 0 for one that was not. One that was moved is found by its file's name."""
        found = self._find(case)
        return 0 if found is None else found.attempts

    def attempt(self, case: Case, run: int) -> RecordedAttempt | None:
        """The attempt of a case (from 1); None when the line of the result cannot be read."""
        found = self._find(case)
        assert found is not None
        if found.attempts == 1:
            return _attempt_in(self._result(found.number), run)
        for number, attempts in ((found.number, found.at_first), *found.more):
            if run <= attempts:
                return _attempt_in(self._kept_result(number), run)
            run -= attempts
        return None

    def not_asked_for(self) -> Iterator[str]:
        """The keys of recorded cases that nobody asked for."""
        return (key for key, recorded in self._cases.items() if not recorded.was_asked_for)

    @cached_property
    def _by_name(self) -> dict[str, str | None]:
        """`file name::id` → the key; None where several keys have it. Made when a case is not where it was."""
        found: dict[str, str | None] = {}
        for _, head in self._runs.heads():
            name = _name(head.file, head.id)
            if found.setdefault(name, head.key) != head.key:
                found[name] = None
        return found

    def _find(self, case: Case) -> _Recorded | None:
        found = self._cases.get(case.key)
        if found is None:
            key = self._by_name.get(_name(case.origin.path, case.id))
            found = None if key is None else self._cases[key]
        if found is not None:
            found.was_asked_for = True
        return found


def _attempt_in(found: RecordedResult | None, run: int) -> RecordedAttempt | None:
    return None if found is None else RecordedAttempt(found.result, found.result.attempts[run - 1], found.line)


def _name(file: str, case_id: str) -> str:
    return f"{_file_name(file)}::{case_id}"


@lru_cache(256)
def _file_name(path: str) -> str:
    return Path(path).name
