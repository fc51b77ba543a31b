"""Recorded runs as data: their results one by one, whether they lie in files or in the history.

Nothing but one case is in memory at a time; an index of 10,000 cases takes about a megabyte.
"""

import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.model.result import CaseResult, RunInfo
from vivavoce.project.project import Project
from vivavoce.results.attachments import store_of
from vivavoce.results.contest.one_agent import require_one_agent
from vivavoce.results.history.database import history_file
from vivavoce.results.history.reading import History
from vivavoce.results.restore import restored
from vivavoce.results.result_file import RESULT_FILE_HINT, info_at_start
from vivavoce.results.stored_runs import StoredRun, run_named
from vivavoce.results.wire import ResultRow

_UNREADABLE = (ValueError, RecursionError)
_row = msgspec.json.Decoder(ResultRow).decode
_MOST_NAMED = 1000


class RowHead(Struct, tag_field="type", tag="result"):
    """The part of a result's line that says which case it is and how often it ran."""

    id: str
    file: str = ""
    run_details: tuple[msgspec.Raw, ...] = ()

    @property
    def key(self) -> str:
        """As Case.key."""
        return f"{self.file}::{self.id}"

    @property
    def attempts(self) -> int:
        return len(self.run_details) or 1


class _Other(Struct, tag_field="type", tag="start"):
    """The first line."""


class _Last(Struct, tag_field="type", tag="summary"):
    """The last line."""


_head = msgspec.json.Decoder(RowHead | _Other | _Last).decode


class _File:
    """The lines of a result file by their place in it."""

    def __init__(self, path: Path) -> None:
        self.label = str(path)
        self._path = path
        self._opened: BinaryIO | None = None
        self._read_to = 0
        """The place after the line that was read last."""
        info = info_at_start(path)
        if info is None:
            what = "not a result file of viva: it has no start line"
            raise UsageError(what, at=str(path), hint=RESULT_FILE_HINT)
        self.info = info
        self._store = store_of(info)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        place = 0
        with self._path.open("rb") as file:
            for line in file:
                if not line.isspace():
                    yield place, line
                place += len(line)

    def line_at(self, place: int) -> bytes:
        if self._opened is None:
            self._opened = self._path.open("rb")
            weakref.finalize(self, self._opened.close)
        if place != self._read_to:
            self._opened.seek(place)
        line = self._opened.readline()
        self._read_to = place + len(line)
        return line if self._store is None else self._store.fill(line)

    def origin(self, place: int) -> Origin:
        with self._path.open("rb") as file:
            return Origin(self.label, file.read(place).count(b"\n") + 1)


class _Kept:
    """The rows of a run of the history by their position."""

    def __init__(self, history: History, run_id: str) -> None:
        self.label = f"run {run_id}"
        self._run = StoredRun(history, run_id)
        self.info = self._run.kept().info

    def lines(self) -> Iterator[tuple[int, bytes]]:
        return enumerate(self._run.rows())

    def line_at(self, place: int) -> bytes:
        row = self._run.row(place)
        assert row is not None
        return row

    def origin(self, place: int) -> Origin:
        return Origin(self.label, place + 1)


class Place(Struct, frozen=True, gc=False):
    """Where a result lies: which of the runs, and where in it."""

    run: int
    at: int


class RecordedResult(Struct, frozen=True, gc=False):
    """A result and its line, with its attachments in it and the end of the line."""

    result: CaseResult
    line: bytes


class _Wanted(Struct, frozen=True):
    run: _File | _Kept
    case: str | None
    """An id or `path::id`; None: every case."""

    def wants(self, head: RowHead) -> bool:
        return self.case is None or self.case in (head.id, head.key)


class RecordedRuns:
    """The runs that a command was given, read together. `recorded_runs` finds them."""

    def __init__(self, wanted: Sequence[_Wanted]) -> None:
        for one in wanted:
            require_one_agent(one.run.info, one.run.label)
        self._wanted = wanted
        self._problems: dict[Place, UsageError] = {}
        self.missing = 0
        """Results that the runs should have and do not: they were killed, interrupted or out of time or budget."""

    @property
    def problems(self) -> list[UsageError]:
        """Lines that could not be read, each once, as far as the runs were read."""
        return list(self._problems.values())

    @property
    def infos(self) -> tuple[RunInfo, ...]:
        """What was run, in the order given."""
        return tuple(one.run.info for one in self._wanted)

    def heads(self) -> Iterator[tuple[Place, RowHead]]:
        """Each result with its place. Raises UsageError when a case that was asked for is not there."""
        self.missing = 0
        for number, wanted in enumerate(self._wanted):
            found, others = False, list[str]()
            due = wanted.run.info.total_cases if wanted.case is None else 0
            for at, line in wanted.run.lines():
                try:
                    head = _head(line)
                except _UNREADABLE as problem:
                    what = f"this line cannot be read: {problem}"
                    self.note(Place(number, at), UsageError(what, at=wanted.run.origin(at)))
                    due -= 1
                    continue
                if not isinstance(head, RowHead):
                    continue
                due -= 1
                if wanted.wants(head):
                    found = True
                    yield Place(number, at), head
                elif len(others) < _MOST_NAMED:
                    others.append(head.id)
            self.missing += max(due, 0)
            if not found and wanted.case is not None:
                hint = did_you_mean(wanted.case, others) if others else None
                raise UsageError(f"there is no case {wanted.case!r} in it", at=wanted.run.label, hint=hint)

    def results(self) -> Iterator[CaseResult]:
        """Every result, in the order in which the cases finished; lines that cannot be read are left out."""
        for place, _ in self.heads():
            result = self.result_at(place)
            if result is not None:
                yield result

    def result_at(self, place: Place) -> CaseResult | None:
        """Returns None, and keeps the problem, where the line is no result."""
        found = self.recorded_at(place)
        return None if found is None else found.result

    def recorded_at(self, place: Place) -> RecordedResult | None:
        """The same with the line that it was read from."""
        found = self.read(place)
        if isinstance(found, UsageError):
            self.note(place, found)
            return None
        return found

    def note(self, place: Place, problem: UsageError) -> None:
        """Keeps the problem of a line that cannot be read."""
        self._problems[place] = problem

    def read(self, place: Place) -> RecordedResult | UsageError:
        """The same; the problem where the line is no result."""
        run = self._wanted[place.run].run
        line = run.line_at(place.at)
        if not line.endswith(b"}\n"):
            # The history keeps lines without their end; an editor may have changed the last line of a file.
            line = line.rstrip() + b"\n"
        try:
            return RecordedResult(restored(_row(line)), line)
        except _UNREADABLE as problem:
            return UsageError(f"this line cannot be read: {problem}", at=run.origin(place.at))


def recorded_runs(refs: Sequence[str], project: Project) -> RecordedRuns:
    """Result files, `last`, `last~1`, run ids; each may name one case: `last::T003`, `out.jsonl::tests/a.jsonl::T003`.

    Raises UsageError for anything else. Without any: the newest run of the history.
    """
    return RecordedRuns([_wanted(ref, project) for ref in refs or ("last",)])


def _wanted(ref: str, project: Project) -> _Wanted:
    name, case = run_and_case(ref)
    found = run_named(name or "last", project)
    run = _Kept(History(history_file(project)), found) if isinstance(found, str) else _File(found)
    return _Wanted(run, case)


def run_and_case(ref: str) -> tuple[str, str | None]:
    """The name of a run and of a case in it: `last::T003`. A file may have `::` in its name.

    Raises UsageError for an empty text, which nobody means as the newest run.
    """
    if not ref:
        raise UsageError("the name of the run is empty", hint="name a result file, `last` or a run of viva history")
    name, _, case = (ref, "", "") if Path(ref).is_file() else ref.partition("::")
    return name, case or None
