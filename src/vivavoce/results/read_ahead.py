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
        size = 0
        for at in range(*self._ahead(number)):
            size += self._take(at)
            if size > _MOST_BYTES:
                break
        if number not in self._waiting:
            self._take(number)

    def _ahead(self, number: int) -> tuple[int, int]:
        """What to read now, from and to. Of 32 workers one may be a little ahead: those between are wanted soon."""
        if not self._in_order or number < self._next:
            return number, number + 1
        first = self._next if number < self._next + _TOGETHER else number
        return first, min(number + _TOGETHER, len(self._at))

    def _take(self, number: int) -> int:
        """Reads a result and keeps it until it is asked for. Returns the length of its line."""
        found = self._waiting[number] = self._runs.read(self._place(number))
        self._next = max(self._next, number + 1)
        return 0 if isinstance(found, UsageError) else len(found.line)

    def _place(self, number: int) -> Place:
        return Place(self._run_of[number], self._at[number])
