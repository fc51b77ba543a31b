"""The result file: a line when the run starts, one per finished case, one when it is over."""

from pathlib import Path
from typing import BinaryIO

from vivavoce.errors import VivaError
from vivavoce.model.events import CaseFinished, Event, RunFinished, RunStarted
from vivavoce.reporters.encoding import encoded
from vivavoce.reporters.journal_file import JournalFile, write_all
from vivavoce.reporters.rows import row_bytes, start_row, summary_row


class JsonlReporter:
    """Writes and flushes each line as it comes, so that a killed run keeps what it did."""

    def __init__(self, out: str | Path | BinaryIO) -> None:
        self._out = _opened(Path(out)) if isinstance(out, str | Path) else _Stream(out)
        self._written = 0

    def handle(self, event: Event) -> None:
        """A line that cannot be written is told as a VivaError; nothing of it is left in the file."""
        if isinstance(event, CaseFinished):
            self._write(row_bytes(event.result), f"the result of case {event.result.case.id!r}")
            self._written += 1
        elif isinstance(event, RunStarted):
            self._write(encoded(start_row(event.info)), "the first line")
        elif isinstance(event, RunFinished):
            self._write(encoded(summary_row(event.summary)), "the summary")

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

    def _write(self, row: bytes, what: str) -> None:
        try:
            self._out.append(row + b"\n")
        except OSError as problem:
            raise self._lost(what, problem) from problem

    def _lost(self, what: str, problem: OSError) -> VivaError:
        return VivaError(
            f"{what} could not be written: {problem.strerror or problem}",
            at=str(self._out.path),
            hint=f"the file holds the {self._written} results before it",
        )


class _Stream:
    """Somebody else's stream: it is not ours to close."""

    def __init__(self, out: BinaryIO) -> None:
        self.path = getattr(out, "name", "the result stream")
        self._out = out

    def append(self, line: bytes) -> None:
        write_all(self._out, line)
        self._out.flush()

    def close(self) -> None: ...


def _opened(path: Path) -> JournalFile:
    try:
        return JournalFile(path)
    except OSError as problem:
        raise VivaError(f"cannot write the result file: {problem.strerror or problem}", at=str(path)) from problem
