"""The attempts of recorded runs by the case they are of; read from their runs when they are asked for."""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.results.recorded_runs import Place, RecordedRuns

_KEPT_RESULTS = 16


class _Recorded(Struct, gc=False):
    places: tuple[tuple[Place, int], ...]
    """Where the results of a case are, each with its number of attempts."""
    attempts: int
    """Of all of them."""
    was_asked_for: bool = False


class RecordedCases:
    """An index of recorded runs. A case that several runs hold has the attempts of all of them."""

    def __init__(self, runs: RecordedRuns) -> None:
        self._runs = runs
        self._cases: dict[str, _Recorded] = {}
        for place, head in runs.heads():
            key = head.key
            known = self._cases.get(key)
            if known is None:
                self._cases[key] = _Recorded(((place, head.attempts),), head.attempts)
            else:
                known.places = (*known.places, (place, head.attempts))
                known.attempts += head.attempts
        self._result_at = lru_cache(_KEPT_RESULTS)(runs.result_at)

    def __len__(self) -> int:
        return len(self._cases)

    def attempts(self, case: Case) -> int:
        """How often a case was recorded; 0 for one that was not. One that was moved is found by its file's name."""
        found = self._find(case)
        return 0 if found is None else found.attempts

    def attempt(self, case: Case, run: int) -> tuple[Case, Attempt] | None:
        """The case as it was, and its attempt (from 1); None when the line of the result cannot be read."""
        found = self._find(case)
        assert found is not None
        for place, number in found.places:
            if run <= number:
                result: CaseResult | None = self._result_at(place)
                return None if result is None else (result.case, result.attempts[run - 1])
            run -= number
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


def _name(file: str, case_id: str) -> str:
    return f"{_file_name(file)}::{case_id}"


@lru_cache(256)
def _file_name(path: str) -> str:
    return Path(path).name
