"""Reads recorded results a few at a time, while they are asked for in the order in which they were recorded."""

from array import array

from vivavoce.errors import UsageError
from vivavoce.results.recorded_runs import Place, RecordedResult, RecordedRuns

_TOGETHER = 64
_MOST_BYTES = 256 * 1024
"""Of the lines that are read together, so that large results are not in memory together."""


class ReadAhead:
    """Results by their number, which is their place in the order of recording.

    The processor's caches hold the code that reads results or the code that judges them, not both: reading and judging
    in turn, case by case, takes a sixth more time for everything.
    """

    def __init__(self, runs: RecordedRuns) -> None:
        self._runs = runs
        self._run_of, self._at = array("L"), array("Q")
        self._waiting: dict[int, RecordedResult | UsageError] = {}
        self._next = 0
        """The number after the last one that was read."""
        self._in_order = True

    def add(self, place: Place) -> int:
        """Returns the number of the result at a place. Places are added in the order of recording."""
        self._run_of.append(place.run)
        self._at.append(place.at)
        return len(self._at) - 1

    def result(self, number: int) -> RecordedResult | None:
        """Returns None where the line cannot be read; the runs keep the problem then."""
        found = self._waiting.pop(number, None)
        if found is None:
            self._read(number)
            found = self._waiting.pop(number)
        if isinstance(found, UsageError):
            self._runs.note(self._place(number), found)
            return None
        return found

    def _read(self, number: int) -> None:
        if len(self._waiting) > _TOGETHER // 2:
            # Most of what was read was not asked for: from now on one result at a time.
            self._in_order = False
            self._waiting.clear()
        at_once = _TOGETHER if self._in_order and number >= self._next else 1
        size = 0
        for at in range(number, min(number + at_once, len(self._at))):
            found = self._runs.read(self._place(at))
            self._waiting[at] = found
            self._next = max(self._next, at + 1)
            size += 0 if isinstance(found, UsageError) else len(found.line)
            if size > _MOST_BYTES:
                break

    def _place(self, number: int) -> Place:
        return Place(self._run_of[number], self._at[number])
