"""Recorded results are read a few at a time while they are asked for in order."""

from typing import Any

from tests.fakes import results as made

from vivavoce.errors import UsageError
from vivavoce.results.read_ahead import ReadAhead
from vivavoce.results.recorded_runs import Place, RecordedResult


class Runs:
    """At the place of results.recorded_runs.RecordedRuns: knows which places were read."""

    def __init__(self, *, line: bytes = b"{}", unreadable: int | None = None) -> None:
        self.problems: list[UsageError] = []
        self.places_read: list[int] = []
        self._line = line
        self._unreadable = unreadable

    def note(self, place: Place, problem: UsageError) -> None:
        self.problems.append(problem)

    def read(self, place: Place) -> RecordedResult | UsageError:
        self.places_read.append(place.at)
        if place.at == self._unreadable:
            return UsageError("this line cannot be read")
        return RecordedResult(made.plain(f"T{place.at}"), self._line)


def ahead_of(runs: Runs, count: int) -> ReadAhead:
    standing_in: Any = runs
    ahead = ReadAhead(standing_in)
    assert [ahead.add(Place(0, at)) for at in range(count)] == list(range(count))
    return ahead


def test_results_asked_for_in_order_are_read_together_and_once():
    runs = Runs()
    ahead = ahead_of(runs, 200)
    first = ahead.result(0)
    assert first is not None
    assert first.result.case.id == "T0"
    assert len(runs.places_read) > 10
    ids = [found.result.case.id for at in range(1, 200) if (found := ahead.result(at)) is not None]
    assert ids == [f"T{at}" for at in range(1, 200)]
    assert runs.places_read == list(range(200))


def test_a_worker_that_is_a_little_ahead_of_the_others_does_not_end_reading_together():
    runs = Runs()
    ahead = ahead_of(runs, 400)
    for begin in range(0, 400, 20):
        # Every twenty are asked for with the last of them first, also where the next ones are to be read.
        for at in (begin + 19, *range(begin, begin + 19)):
            found = ahead.result(at)
            assert found is not None
            assert found.result.case.id == f"T{at}"
    assert runs.places_read == list(range(400)), "each once, in order"


def test_results_asked_for_here_and_there_are_read_one_by_one():
    runs = Runs()
    ahead = ahead_of(runs, 10_000)
    for at in range(0, 10_000, 100):
        found = ahead.result(at)
        assert found is not None
        assert found.result.case.id == f"T{at}"
    assert len(runs.places_read) < 200
    backwards = ahead.result(7)
    assert backwards is not None
    assert backwards.result.case.id == "T7"


def test_large_results_are_not_in_memory_together():
    runs = Runs(line=bytes(1_000_000))
    ahead = ahead_of(runs, 100)
    for at in range(100):
        assert ahead.result(at) is not None
        assert runs.places_read == list(range(at + 1))


def test_a_line_that_cannot_be_read_is_a_problem_only_when_it_is_asked_for():
    runs = Runs(unreadable=3)
    ahead = ahead_of(runs, 10)
    assert ahead.result(0) is not None
    assert 3 in runs.places_read
    assert not runs.problems
    assert ahead.result(3) is None
    assert len(runs.problems) == 1
