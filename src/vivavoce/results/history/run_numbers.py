"""What a list of runs tells of each besides its totals: how long cases took, and what changed since the run before."""

import sqlite3
from collections.abc import Sequence

from msgspec import Struct

from vivavoce.model.result import Status
from vivavoce.results.history.case_grid import FactRun, cells_of
from vivavoce.statistics.percentiles import percentile

_MOST_NAMED = 5


class RunNumbers(Struct, kw_only=True):
    """`broken` and `mended` compare each case with its result before, in whichever run that was."""

    p50_ms: float | None = None
    p95_ms: float | None = None
    broken: int = 0
    """How many cases did not pass that had passed before."""
    mended: int = 0
    added: int = 0
    """How many cases have no earlier result."""
    first_broken: list[int] = []
    """The numbers of a few of the broken ones."""


def numbers_of_runs(
    store: sqlite3.Connection, runs: Sequence[FactRun], earlier: Sequence[FactRun] = ()
) -> dict[str, RunNumbers]:
    """Returns the numbers of each run by its id; `earlier` runs are only what the oldest is compared with."""
    found = {run.no: RunNumbers(first_broken=[]) for run in runs}
    times: dict[int, list[float]] = {run.no: [] for run in runs}
    case_no, before = -1, ""
    for cell in cells_of(store, [*runs, *earlier]):
        if cell.case_no != case_no:
            case_no, before = cell.case_no, ""
        if (numbers := found.get(cell.run_no)) is not None:
            _count(numbers, cell.status, before, case_no)
            times[cell.run_no].extend(one.duration_ms for one in cell.attempts if not one.replayed)
        before = cell.status
    for no, durations in times.items():
        durations.sort()
        found[no].p50_ms, found[no].p95_ms = percentile(durations, 50), percentile(durations, 95)
    return {run.id: found[run.no] for run in runs}


def _count(numbers: RunNumbers, status: str, before: str, case_no: int) -> None:
    if not before:
        numbers.added += 1
    elif status != Status.PASSED and before == Status.PASSED:
        numbers.broken += 1
        if len(numbers.first_broken) < _MOST_NAMED:
            numbers.first_broken.append(case_no)
    elif status == Status.PASSED and before != Status.PASSED:
        numbers.mended += 1


def case_ids(store: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, str]:
    """Returns the ids of cases by their numbers."""
    marks = ", ".join("?" * len(numbers))
    return dict(store.execute(f"SELECT no, id FROM fact_cases WHERE no IN ({marks})", tuple(numbers)))
