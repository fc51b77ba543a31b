"""Cases × runs from the tables of facts: the newest runs, and what became of each case in them.

Only the rows of the wanted runs are read: for each case those that are young enough, by the primary key.
"""

import sqlite3
from collections.abc import Iterator, Sequence

from msgspec import Struct

from vivavoce.model.result import Status
from vivavoce.results.history.facts import AttemptFact, unpacked_attempts
from vivavoce.statistics.percentiles import percentile

_RUNS = """
SELECT r.no, r.id, r.started, r.title, r.revision, r.branch, r.dirty,
       EXISTS (SELECT 1 FROM runs WHERE runs.id = r.id), CAST(strftime('%s', r.started) AS INTEGER)
FROM fact_runs r {where} ORDER BY julianday(r.started) DESC, r.no DESC LIMIT ? OFFSET ?
"""
_OF_AGENT = """
WHERE r.no IN (SELECT DISTINCT f.run FROM fact_cases c JOIN facts f ON f.case_no = c.no WHERE c.agent = ?)
"""
CELLS = """
SELECT c.no, f.run, f.status, f.attempts FROM fact_cases c CROSS JOIN facts f
WHERE f.case_no = c.no AND f.started >= ? AND f.started < ? {more} ORDER BY c.no, f.started
"""
_CLOCK_SLACK_MS = 86_400_000
"""A result may have begun before its run, when a clock was set or the run is from another machine."""
_LONGEST_RUN_MS = 7 * 86_400_000


class FactRun(Struct, frozen=True, kw_only=True):
    """A run that facts are kept of, also when the run itself was removed."""

    no: int
    id: str
    started: str
    title: str | None
    revision: str | None
    branch: str | None
    dirty: bool | None
    is_kept: bool
    """Whether the conversations are still there."""
    started_s: int | None
    """Unix time; None for a time that cannot be read."""


class GridCell(Struct, frozen=True, gc=False):
    case_no: int
    run_no: int
    status: str
    attempts: tuple[AttemptFact, ...]


class GridCase(Struct, frozen=True, kw_only=True, gc=False):
    key: str
    id: str
    agent: str
    cells: str
    """One letter a run, in the order of the runs; see LETTERS."""
    attempts: int
    """How often it ran in these runs, repeated ones counted each."""
    passed: int
    """How many of them passed."""
    typical_ms: float | None
    """The median of its attempts in these runs."""


LETTERS = {Status.PASSED: "P", Status.FAILED: "F", Status.ERROR: "E", Status.TIMEOUT: "T"}
ABSENT = "."
"""The letter of a run that did not have the case."""


def latest_runs(store: sqlite3.Connection, most: int, skip: int = 0, agent: str | None = None) -> list[FactRun]:
    """Returns runs, newest first; `skip` leaves the newest out."""
    question = _RUNS.format(where="" if agent is None else _OF_AGENT)
    values = (*(() if agent is None else (agent,)), most, skip)
    found = store.execute(question, values)
    return [
        FactRun(
            no=no,
            id=run_id,
            started=started,
            title=title,
            revision=revision,
            branch=branch,
            dirty=None if dirty is None else bool(dirty),
            is_kept=bool(kept),
            started_s=seconds,
        )
        for no, run_id, started, title, revision, branch, dirty, kept, seconds in found
    ]


def agents_known(store: sqlite3.Connection) -> list[str]:
    return [agent for (agent,) in store.execute("SELECT DISTINCT agent FROM fact_cases ORDER BY agent")]


def cells_of(store: sqlite3.Connection, runs: Sequence[FactRun], agent: str | None = None) -> Iterator[GridCell]:
    """Yields what these runs found, the results of one case together and oldest first."""
    times = [run.started_s for run in runs if run.started_s is not None]
    since = min(times) * 1000 - _CLOCK_SLACK_MS if len(times) == len(runs) and times else 0
    until = (max(times) * 1000 if times else 1 << 52) + _LONGEST_RUN_MS
    wanted = {run.no for run in runs}
    more, values = ("", ()) if agent is None else ("AND c.agent = ?", (agent,))
    for case_no, run_no, status, attempts in store.execute(CELLS.format(more=more), (since, until, *values)):
        if run_no in wanted:
            yield GridCell(case_no, run_no, status, unpacked_attempts(attempts))


def case_grid(store: sqlite3.Connection, runs: Sequence[FactRun], agent: str | None = None) -> list[GridCase]:
    """Returns the cases of these runs, by their keys; a letter of each stands for each run, in the runs' order."""
    columns = {run.no: at for at, run in enumerate(runs)}
    letters: dict[int, list[str]] = {}
    times: dict[int, list[float]] = {}
    counts: dict[int, tuple[int, int]] = {}
    for cell in cells_of(store, runs, agent):
        letters.setdefault(cell.case_no, [ABSENT] * len(runs))[columns[cell.run_no]] = LETTERS.get(
            Status(cell.status), ABSENT
        )
        attempts, passed = counts.get(cell.case_no, (0, 0))
        passed_here = sum(one.passed for one in cell.attempts)
        counts[cell.case_no] = attempts + len(cell.attempts), passed + passed_here
        times.setdefault(cell.case_no, []).extend(one.duration_ms for one in cell.attempts if not one.replayed)
    named = store.execute("SELECT no, key, id, agent FROM fact_cases ORDER BY key, agent")
    return [
        GridCase(
            key=key,
            id=case_id,
            agent=of_agent,
            cells="".join(letters[no]),
            attempts=counts[no][0],
            passed=counts[no][1],
            typical_ms=percentile(sorted(times[no]), 50),
        )
        for no, key, case_id, of_agent in named
        if no in letters
    ]
