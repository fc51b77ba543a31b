"""The result file: a line when the run starts, one per finished case, one when it is over."""

from pathlib import Path
from typing import BinaryIO

from vivavoce.errors import VivaError
from vivavoce.model.events import CaseFinished, Event, RunFinished, RunStarted
from vivavoce.reporters.encoding import encoded
from vivavoce.reporters.rows import row_bytes, start_row, summary_row


class JsonlReporter:
    """Writes and flushes each line as it comes, so that a killed run keeps what it did."""

    def __init__(self, out: str | Path | BinaryIO) -> None:
        self._owned = isinstance(out, str | Path)
        self._place = str(out) if isinstance(out, str | Path) else getattr(out, "name", "the result stream")
        self._out = _opened(Path(out)) if isinstance(out, str | Path) else out
        self._written = 0

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self._write(row_bytes(event.result), f"the result of case {event.result.case.id!r}")
            self._written += 1
        elif isinstance(event, RunStarted):
            self._write(encoded(start_row(event.info)), "the first line")
        elif isinstance(event, RunFinished):
            self._write(encoded(summary_row(event.summary)), "the summary")

    def close(self) -> None:
        if self._owned:
            try:
                self._out.close()
            except OSError as problem:
                raise self._lost("the end of the file", problem) from problem

    def _write(self, row: bytes, what: str) -> None:
        try:
            rest = memoryview(row + b"\n")
            while rest:
                rest = rest[self._out.write(rest) :]
            self._out.flush()
        except OSError as problem:
            raise self._lost(what, problem) from problem

    def _lost(self, what: str, problem: OSError) -> VivaError:
        return VivaError(
            f"{what} could not be written: {problem.strerror or problem}",
            at=self._place,
            hint=f"the file holds the {self._written} results before it",
        )


def _opened(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Unbuffered: after a failed write nothing is left behind that would fail again on closing.
        return path.open("wb", buffering=0)
    except OSError as problem:
        raise VivaError(f"cannot write the result file: {problem.strerror or problem}", at=str(path)) from problem
