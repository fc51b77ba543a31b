"""A run to look at: stored in the history or in a result file; finished, interrupted, or still going on."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Protocol

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import CaseOutcome, CaseResult
from vivavoce.project.project import Project
from vivavoce.results.attachments import AttachmentStore
from vivavoce.results.encoding import encoded
from vivavoce.results.history.database import history_file
from vivavoce.results.history.reading import History
from vivavoce.results.history.records import KeptRun
from vivavoce.results.result_file import RESULT_FILE_HINT, result_in
from vivavoce.results.row_head import head_in
from vivavoce.results.row_outcome import outcome_in
from vivavoce.results.rows import start_row, summary_row


class RunData(Protocol):
    """Cases are known by their position: the order in which they finished. Each call sees what is there by then."""

    def kept(self) -> KeptRun: ...

    def heads(self, start: int, most: int) -> list[bytes]:
        """What a list shows of each case, as JSON."""
        ...

    def row(self, position: int) -> bytes | None:
        """The case's line of a result file."""
        ...

    def rows(self) -> Iterator[bytes]: ...

    def outcomes(self) -> list[CaseOutcome]: ...


class StoredRun:
    """A run of the history. Rows asked for in their order are read together."""

    def __init__(self, history: History, run_id: str) -> None:
        self._history = history
        self._first, self._rows = 0, list[bytes]()
        self._id = run_id
        self._attachments = AttachmentStore(history.folder)

    def kept(self) -> KeptRun:
        found = self._history.run(self._id)
        if found is None:
            raise UsageError(f"the run {self._id} is no longer kept")
        return found

    def heads(self, start: int, most: int) -> list[bytes]:
        return [encoded(head_in(row)) for row in islice(self._history.rows(self._id, start), most)]

    def row(self, position: int) -> bytes | None:
        if not 0 <= position - self._first < len(self._rows):
            self._first, self._rows = self._history.rows_around(self._id, position)
        at = position - self._first
        return self._attachments.fill(self._rows[at]) if 0 <= at < len(self._rows) else None

    def rows(self) -> Iterator[bytes]:
        return map(self._attachments.fill, self._history.rows(self._id))

    def outcomes(self) -> list[CaseOutcome]:
        return [outcome_in(row) for row in self._history.rows(self._id)]


def run_named(ref: str, project: Project) -> Path | str:
    """Returns the path of a result file, or the id of a run of the history, as every command names recorded runs.

    A result file's path, `last`, `last~1`, or (the beginning of) a run's id. Raises UsageError.
    """
    if Path(ref).is_file():
        return Path(ref)
    if Path(ref).suffix or "/" in ref:
        raise UsageError(f"no such result file: {ref}", hint=RESULT_FILE_HINT)
    return History(history_file(project)).find(ref).info.run_id


def open_run(ref: str, project: Project) -> RunData:
    """The run that `run_named` finds, to look at in any order. Raises UsageError."""
    from vivavoce.results.file_run import FileRun

    found = run_named(ref, project)
    if isinstance(found, str):
        return StoredRun(History(history_file(project)), found)
    run = FileRun(found)
    run.kept()
    return run


def result_at(run: RunData, position: int) -> CaseResult:
    row = run.row(position)
    assert row is not None
    return result_in(row)


def run_as_json(run: KeptRun) -> JsonObject:
    """A run as the web page and other programs read it."""
    return {
        "id": run.info.run_id,
        "state": run.state.value,
        "results": run.results,
        "revision": run.revision,
        "in_flight": list(run.in_flight),
        "start": msgspec.to_builtins(start_row(run.info)),
        "summary": msgspec.to_builtins(summary_row(run.summary)),
    }
