"""The result file: a line when the run starts, one per finished case, one when it is over."""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, TextIO

import msgspec
from msgspec import Struct

from vivavoce.errors import VivaError
from vivavoce.model.events import CaseFinished, Event, RunFinished, RunStarted
from vivavoce.model.result import RunReport
from vivavoce.results.encoding import encoded
from vivavoce.results.journal_file import JournalFile, write_all
from vivavoce.results.rows import row_line, start_row, summary_row
from vivavoce.wording.plurals import first_few
from vivavoce.wording.terminal_text import one_line

_MOST_NAMED = 50


class JsonlReporter:
    """Writes each line within a moment of its coming, so that a killed run keeps what it did."""

    def __init__(self, out: str | Path | BinaryIO) -> None:
        self._out = _opened(Path(out)) if isinstance(out, str | Path) else _Stream(out)

    def handle(self, event: Event) -> None:
        """Raises VivaError for a line that cannot be written; nothing of it is left in the file."""
        if isinstance(event, CaseFinished):
            self._write(event.line or row_line(event.result), "a result")
        elif isinstance(event, RunStarted):
            self._write(encoded(start_row(event.info)) + b"\n", "the first line")
        elif isinstance(event, RunFinished):
            self._write(encoded(summary_row(event.summary)) + b"\n", "the summary", at_once=True)

    def close(self) -> None:
        try:
            self._out.close()
        except OSError as problem:
            raise self._lost("the end of the file", problem) from problem

    @property
    def file(self) -> JournalFile:
        """The file behind it, to be renamed or moved."""
        assert isinstance(self._out, JournalFile)
        return self._out

    def _write(self, line: bytes, what: str, *, at_once: bool = False) -> None:
        try:
            self._out.append(line, at_once=at_once)
        except OSError as problem:
            if isinstance(problem, BrokenPipeError) and isinstance(self._out, _Stream):
                raise  # the reader of the lines is gone (`-o - | head`): the run ends as with any closed pipe
            raise self._lost(what, problem) from problem

    def _lost(self, what: str, problem: OSError) -> VivaError:
        return VivaError(
            f"{what} could not be written: {problem.strerror or problem}",
            at=str(self._out.path),
            hint=f"the file ends before that{_not_kept(self._out.waiting)}",
        )


def write_result_file(report: RunReport, out: TextIO) -> None:
    """A whole run as a result file; the rows are copied."""
    out.write(encoded(start_row(report.info)).decode() + "\n")
    for row in report.rows():
        out.write(row.decode() + "\n")
    out.write(encoded(summary_row(report.summary)).decode() + "\n")


class _Head(Struct):
    type: str = ""
    id: str = ""


def _not_kept(lines: Sequence[bytes]) -> str:
    """The cases that were shown but are not in the file, because their lines were still waiting to be written."""
    heads = [msgspec.json.decode(line, type=_Head) for line in lines]
    ids = [one_line(head.id) for head in heads if head.type == "result"]
    if not ids:
        return ""
    told = "1 result that was shown is" if len(ids) == 1 else f"{len(ids):,} results that were shown are"
    return f"; {told} not kept: {first_few(ids, _MOST_NAMED)}"


class _Stream:
    """Somebody else's stream: it is not ours to close."""

    waiting: Sequence[bytes] = ()

    def __init__(self, out: BinaryIO) -> None:
        self.path = "the result stream"
        self._out = out

    def append(self, line: bytes, *, at_once: bool = False) -> None:
        write_all(self._out, line)
        self._out.flush()

    def close(self) -> None: ...


def _opened(path: Path) -> JournalFile:
    try:
        return JournalFile(path)
    except OSError as problem:
        raise VivaError(f"cannot write the result file: {problem.strerror or problem}", at=str(path)) from problem
