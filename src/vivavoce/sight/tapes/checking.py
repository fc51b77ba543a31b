"""Checks a tape file: finds lines that cannot be read, damaged answers, secrets."""

from collections.abc import Iterator
from pathlib import Path

from vivavoce.errors import CallFailed, UsageError
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.played import played
from vivavoce.sight.tapes.tape_lines import part_names
from vivavoce.sight.tapes.tape_reading import Tape, read_tape


def read_or_problem(path: Path) -> tuple[Tape | None, UsageError | None]:
    """The tape, or why it cannot be read."""
    try:
        return read_tape(path), None
    except UsageError as problem:
        return None, problem


def problems_in(tape: Tape, censor: Censor) -> Iterator[UsageError]:
    """Problems of a readable tape that should not be committed like this."""
    record_again = "record it again with --record"
    if tape.is_cut:
        yield UsageError("the last line is not whole: the run that wrote it was killed", at=str(tape.path))
    for entry in tape.entries():
        name = f"call {entry.n} of case {entry.case!r}"
        if any(part not in tape.parts for part in part_names(entry)):
            yield UsageError(f"{name} names parts that are missing", at=str(tape.path), hint=record_again)
        try:
            played(entry)
        except CallFailed as problem:
            yield UsageError(f"{name}: {problem.what}", at=str(tape.path), hint=record_again)
    lines = tape.path.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, start=1):
        if censor.text(line) != line:
            yield UsageError("holds a secret", at=f"{tape.path}:{number}", hint=f"change the key, and {record_again}")
