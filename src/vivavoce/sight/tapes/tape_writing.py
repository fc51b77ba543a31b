"""Writes tape files during the run: one whole line at a time, so that a killed run keeps its calls."""

import os
import threading
from collections.abc import Mapping
from pathlib import Path

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonValue
from vivavoce.project.locked_files import append_whole
from vivavoce.project.private_files import private_opener
from vivavoce.project.whole_files import write_whole
from vivavoce.sight.tapes.tape_lines import Begin, Entry, Header, Line, Part, encode_line, part_names
from vivavoce.sight.tapes.tape_reading import Tape, read_tape


class TapeWriter:
    """Appends to one file. Several threads may write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._written: set[str] | None = None
        """The parts in the file; None: the file was not read yet."""

    def begin(self, case: str, run: int) -> None:
        """Marks earlier recordings of this run of a case as out of date. Raises CallFailed."""
        with self._lock:
            self._append([Begin(case=case, run=run)])

    def add(self, entry: Entry, values: Mapping[str, JsonValue]) -> None:
        """Adds a call and the parts it names. Raises CallFailed when the file cannot be written."""
        with self._lock:
            known = self._known()
            new = [Part(id=name, value=value) for name, value in values.items() if name not in known]
            self._append([*new, entry])
            known.update(values)

    def _known(self) -> set[str]:
        if self._written is None:
            self._written = set[str]()
            if self.path.exists():
                _end_cut_line(self.path)
                self._written.update(read_tape(self.path).parts)
        return self._written

    def _append(self, lines: list[Line]) -> None:
        try:
            self._known()
            is_new = not self.path.exists()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            content = b"".join(encode_line(line) + b"\n" for line in ([Header(), *lines] if is_new else lines))
            append_whole(self.path, content, opener=private_opener)
        except OSError as error:
            raise CallFailed(f"the tape {self.path} cannot be written: {error.strerror}", fault="test") from None

    def close(self) -> None:
        """Rewrites the file without outdated entries, in an order that does not depend on the run."""
        with self._lock:
            if self.path.exists():
                write_tape(read_tape(self.path))


def write_tape(tape: Tape) -> None:
    """Writes a tape in order of cases and runs, each part before its first use. The file is never half written."""
    lines: list[Line] = [Header()]
    written: set[str] = set()
    for (case, run), entries in sorted(tape.attempts.items()):
        lines.append(Begin(case=case, run=run))
        for entry in entries:
            for name in part_names(entry):
                if name not in written and name in tape.parts:
                    lines.append(Part(id=name, value=tape.parts[name]))
                    written.add(name)
            lines.append(entry)
    write_whole(b"".join(encode_line(line) + b"\n" for line in lines), tape.path)


def _end_cut_line(path: Path) -> None:
    """Removes a last line that a killed run did not finish."""
    content = path.read_bytes()
    if content and not content.endswith(b"\n"):
        os.truncate(path, content.rfind(b"\n") + 1)
