"""A result file as a run to look at, read on as it grows."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from msgspec import structs

from vivavoce.errors import UsageError
from vivavoce.model.result import CaseOutcome, RunInfo, Summary
from vivavoce.model.tally import Tally
from vivavoce.results.attachments import store_of
from vivavoce.results.encoding import encoded
from vivavoce.results.history.records import KeptRun, RunState
from vivavoce.results.journal_file import is_being_written
from vivavoce.results.restore import info_of, restored, summary_of
from vivavoce.results.result_file import INCOMPLETE, RESULT_FILE_HINT, row_in
from vivavoce.results.row_head import head_in
from vivavoce.results.row_outcome import outcome_in
from vivavoce.results.wire import ResultRow, StartRow
from vivavoce.wording.plurals import counted

_STILL_WARM_S = 30.0
_AT_ONCE = 8 << 20


class FileRun:
    """Keeps each case's place, head and outcome in memory; rows are read from the file again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._forget()

    def _forget(self) -> None:
        self._read_to = 0
        self._info: RunInfo | None = None
        self._summary: Summary | None = None
        self._tally = Tally()
        self._places: list[tuple[int, int]] = []
        self._heads: list[bytes] = []
        self._outcomes: list[CaseOutcome] = []
        self._unreadable = 0

    def kept(self) -> KeptRun:
        with self._lock:
            self._catch_up()
            info = self._info_read()
            summary = self._summary or self._tally.recounted(info.total_cases, INCOMPLETE)
            state = self._state()
            if state is RunState.RUNNING:
                summary = structs.replace(summary, interrupted=None)
            if self._unreadable:
                lost = f"{counted(self._unreadable, 'line')} of the file cannot be read"
                summary = structs.replace(summary, warnings=(*summary.warnings, lost))
            return KeptRun(info=info, summary=summary, state=state, results=len(self._heads))

    def heads(self, start: int, most: int) -> list[bytes]:
        return self._heads[start : start + most]

    def row(self, position: int) -> bytes | None:
        if not 0 <= position < len(self._places):
            return None
        start, length = self._places[position]
        with self.path.open("rb") as file:
            file.seek(start)
            return self._filled(file.read(length))

    def rows(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            for start, length in self._places:
                file.seek(start)
                yield self._filled(file.read(length))

    def _filled(self, line: bytes) -> bytes:
        store = store_of(self._info)
        return line if store is None else store.fill(line)

    def outcomes(self) -> list[CaseOutcome]:
        return list(self._outcomes)

    def _state(self) -> RunState:
        if self._summary is not None:
            return RunState.FINISHED
        # Some writers hold no lock: those on a file system without locks, or on another machine.
        is_warm = time.time() - self.path.stat().st_mtime < _STILL_WARM_S
        return RunState.RUNNING if is_warm or is_being_written(self.path) else RunState.KILLED

    def _info_read(self) -> RunInfo:
        if self._info is None:
            raise UsageError(
                "not a result file of viva: it has no start line",
                at=str(self.path),
                hint=RESULT_FILE_HINT,
            )
        return self._info

    def _catch_up(self) -> None:
        try:
            with self.path.open("rb") as file:
                if self.path.stat().st_size < self._read_to:
                    # Another run was written over it.
                    self._forget()
                file.seek(self._read_to)
                while lines := file.readlines(_AT_ONCE):
                    for line in lines:
                        # The end may still be being written.
                        if line.endswith(b"\n"):
                            self._take(line)
        except OSError as problem:
            raise UsageError(f"cannot read it: {problem.strerror or problem}", at=str(self.path)) from None

    def _take(self, line: bytes) -> None:
        start, self._read_to = self._read_to, self._read_to + len(line)
        if line.isspace():
            return
        try:
            row = row_in(line)
        except (ValueError, RecursionError):
            self._unreadable += 1
            return
        if isinstance(row, ResultRow):
            self._tally.add(restored(row))
            self._outcomes.append(outcome_in(line))
            self._places.append((start, len(line) - 1))
            self._heads.append(encoded(head_in(line)))
        elif isinstance(row, StartRow):
            self._info = info_of(row)
        else:
            self._summary = summary_of(row)
