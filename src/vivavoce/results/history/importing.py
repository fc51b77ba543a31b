"""Result files of other machines → facts of the history. What is there already is not counted twice."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from vivavoce.results.history.database import damaged, open_to_write, transaction
from vivavoce.results.history.fact_store import FactRow, add_facts, fact_row, forget_oldest, run_number
from vivavoce.results.history.facts import facts_of
from vivavoce.results.history.sorting_in import sort_in
from vivavoce.results.result_file import ResultFile, read_result_file

_AT_ONCE = 500


class Imported(Struct, frozen=True):
    """What came of one file."""

    path: Path
    found: int
    """Results in it that were judged."""
    added: int
    unreadable: int
    """Lines that could not be read."""


def import_results(store: Path, paths: Sequence[Path]) -> list[Imported]:
    """Raises UsageError for a file that is no result file, before anything is added; HistoryProblem for the history."""
    files = [read_result_file(path) for path in paths]
    try:
        return _added(store, files)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise damaged(store, error) from None


def _added(store: Path, files: Sequence[ResultFile]) -> list[Imported]:
    done: list[Imported] = []
    history = open_to_write(store)
    try:
        for file in files:
            found = added = 0
            waiting: list[FactRow] = []
            with transaction(history) as writing:
                sort_in(writing, store.parent)
                run = run_number(writing, file.info)
                for result in file.results():
                    if (facts := facts_of(file.info, result)) is not None:
                        waiting.append(fact_row(facts))
                        found += 1
                    if len(waiting) == _AT_ONCE:
                        added += add_facts(writing, run, waiting)
                        waiting.clear()
                added += add_facts(writing, run, waiting)
                forget_oldest(writing)
            done.append(Imported(file.path, found, added, len(file.unreadable)))
    finally:
        history.close()
    return done
