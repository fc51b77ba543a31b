"""Reading a result file back: the whole run again, or as much of it as was written."""

import os
from collections.abc import Container, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.result import CaseResult, RunInfo, RunReport, Summary
from vivavoce.model.tally import Tally
from vivavoce.results.attachments import AttachmentStore, store_of
from vivavoce.results.restore import check_restorable, info_of, restored, summary_of
from vivavoce.results.wire import ResultRow, Row, StartRow, SummaryRow

_BEGINNING = b'{"type":"start",'
INCOMPLETE = "incomplete"
RESULT_FILE_HINT = "give the .jsonl file that a run wrote"
_row = msgspec.json.Decoder(Row)
_start = msgspec.json.Decoder(StartRow)
_summary = msgspec.json.Decoder(SummaryRow)
_LONGEST_SUMMARY = 1 << 20
_UNREADABLE = (ValueError, RecursionError)


class _Kind(Struct):
    type: str


_kind = msgspec.json.Decoder(_Kind)


class FileLine(Struct, frozen=True, gc=False):
    """A line that can be read."""

    number: int
    text: bytes
    """As it stands in the file, with its end."""
    row: Row


class ResultFile(Struct, frozen=True, kw_only=True):
    """What a result file holds. Results are read from the file each time, one by one."""

    path: Path
    info: RunInfo
    summary: Summary
    """As written; counted from the results when the run did not come to its end."""
    incomplete: bool
    problems: tuple[UsageError, ...] = ()
    """Lines that could not be read, each with its place. A torn last line is one of them."""
    unreadable: frozenset[int] = frozenset()
    """The numbers of these lines."""

    def results(self) -> Iterator[CaseResult]:
        return results_in(self.path)

    def report(self) -> RunReport:
        """The run as document writers take it. Lines that could not be read stand among its warnings."""
        warnings = (*self.summary.warnings, *(str(problem) for problem in self.problems))
        summary = structs.replace(self.summary, warnings=warnings)
        return report_of(self.path, self.info, summary, unreadable=self.unreadable)


def report_of(path: Path, info: RunInfo, summary: Summary, *, unreadable: Container[int] = ()) -> RunReport:
    """A run whose results are read from its result file each time they are asked for."""
    return RunReport(
        info=info, summary=summary, rows=lambda: rows_in(path, unreadable), results=lambda: results_in(path)
    )


def results_in(path: Path) -> Iterator[CaseResult]:
    """The results one by one; lines that cannot be read are left out."""
    return (restored(row) for _, row in result_lines(path))


def rows_in(path: Path, unreadable: Container[int]) -> Iterator[bytes]:
    """The lines of these results as they stand in the file, without their ends.

    Lines are not decoded: their beginning shows whether they are results. `unreadable` are the numbers of lines that
    `lines_of` could not read.
    """
    with path.open("rb") as lines:
        for number, text in enumerate(lines, 1):
            if number not in unreadable and _is_result(text):
                yield text.rstrip(b"\r\n")


def _is_result(line: bytes) -> bool:
    try:
        return not line.isspace() and _kind.decode(line).type == "result"
    except _UNREADABLE:
        return False


def result_lines(path: Path) -> Iterator[tuple[bytes, ResultRow]]:
    """The lines of these results, each with what it says."""
    return ((line.text, line.row) for line in lines_of(path, {}) if isinstance(line.row, ResultRow))


def lines_of(path: Path, problems: dict[int, UsageError]) -> Iterator[FileLine]:
    """Every line that can be read; those that cannot are added to `problems` by their number."""
    try:
        with path.open("rb") as lines:
            store: AttachmentStore | None = None
            for number, text in enumerate(lines, 1):
                if text.isspace():
                    continue
                try:
                    row = row_in(text if store is None else store.fill(text))
                    if isinstance(row, StartRow):
                        store = store_of(info_of(row))
                    yield FileLine(number, text, row)
                except _UNREADABLE as problem:
                    torn = not text.endswith(b"\n")
                    what = "the last line is torn off" if torn else f"this line cannot be read: {problem}"
                    problems[number] = UsageError(what, at=Origin(str(path), number))
    except OSError as problem:
        raise UsageError(f"cannot read it: {problem.strerror or problem}", at=str(path)) from problem


def row_in(line: bytes) -> Row:
    """What a line says. Raises ValueError or RecursionError when viva did not write it."""
    row = _row.decode(line)
    if isinstance(row, ResultRow):
        check_restorable(row)
    return row


def result_in(line: bytes) -> CaseResult:
    """The result that a line was written from."""
    row = row_in(line)
    assert isinstance(row, ResultRow)
    return restored(row)


def read_result_file(path: str | Path) -> ResultFile:
    """Raises UsageError when it is no result file at all."""
    path = Path(path)
    problems: dict[int, UsageError] = {}
    others: list[UsageError] = []
    info: RunInfo | None = None
    summary = summary_at_end(path)
    is_whole = summary is not None
    tally = Tally()
    for line in lines_of(path, problems):
        row = line.row
        if isinstance(row, ResultRow):
            # To restore a result takes ten times as long as to check it: only a run without its totals needs it.
            if not is_whole:
                tally.add(restored(row))
        elif isinstance(row, SummaryRow):
            summary = summary_of(row)
        else:
            if info is not None:
                others.append(UsageError("a second run starts in the same file", at=str(path)))
            info = info_of(row)
    if info is None:
        raise UsageError(
            "not a result file of viva: it has no start line",
            at=str(path),
            hint=RESULT_FILE_HINT,
        )
    return ResultFile(
        path=path,
        info=info,
        summary=summary or tally.recounted(info.total_cases, INCOMPLETE),
        incomplete=summary is None or bool(problems) or bool(others),
        problems=(*problems.values(), *others),
        unreadable=frozenset(problems),
    )


def info_at_start(path: Path) -> RunInfo | None:
    """What was run, from the first line alone; None when this is no result file."""
    try:
        with path.open("rb") as file:
            return info_of(_start.decode(file.readline()))
    except (OSError, *_UNREADABLE):
        return None


def is_cut_at_start(path: Path) -> bool:
    """Whether a file is empty or ends inside its first line, as that of a run that was killed at once does."""
    with path.open("rb") as file:
        head = file.readline(1 << 16)
    return not head.endswith(b"\n") and head[: len(_BEGINNING)] == _BEGINNING[: len(head)]


def summary_at_end(path: Path) -> Summary | None:
    """How the run ended, from the last line alone; None when it did not come to its end."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LONGEST_SUMMARY))
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
        return summary_of(_summary.decode(last))
    except (OSError, *_UNREADABLE):
        return None
