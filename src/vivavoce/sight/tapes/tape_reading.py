"""A tape file → its entries by case and run. The last line of a killed run may be cut; the others are read."""

from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonValue
from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.tape_lines import VERSION, Begin, Entry, Header, Line, Part, decode_line, unfolded

SUFFIX = ".tape.jsonl"


class Tape(Struct, kw_only=True):
    """The content of one file."""

    path: Path
    parts: dict[str, JsonValue] = {}
    attempts: dict[tuple[str, int], list[Entry]] = {}
    """By case and run; a case that made no call has an empty list."""
    is_cut: bool = False
    """Whether the last line is not whole: the run that wrote it was killed."""

    def sections(self, entry: Entry) -> Sections:
        return unfolded(entry.sections, self.parts)

    def runs_of(self, case: str) -> list[int]:
        return sorted(run for name, run in self.attempts if name == case)

    def entries(self) -> list[Entry]:
        return [entry for entries in self.attempts.values() for entry in entries]


def read_tape(path: Path) -> Tape:
    """Raises UsageError with file and line for a file that is not a tape."""
    tape = Tape(path=path, parts={}, attempts={})
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the tape cannot be read: {error.strerror or error}", at=str(path)) from None
    lines = content.split(b"\n")
    whole, rest = lines[:-1], lines[-1]
    tape.is_cut = bool(rest)
    for number, raw in enumerate(whole, start=1):
        if raw.strip():
            _add(tape, raw, number)
    if not whole and not rest:
        raise UsageError("the tape is empty", at=str(path), hint="record it again with --record")
    return tape


def _add(tape: Tape, raw: bytes, number: int) -> None:
    try:
        line: Line = decode_line(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(f"not a line of a tape: {error}", at=f"{tape.path}:{number}") from None
    match line:
        case Header():
            if line.v > VERSION:
                what = f"the tape has version {line.v}, this viva reads up to {VERSION}"
                raise UsageError(what, at=f"{tape.path}:{number}", hint="update viva, or record it again")
        case Part():
            tape.parts[line.id] = line.value
        case Begin():
            tape.attempts[line.case, line.run] = []
        case Entry():
            tape.attempts.setdefault((line.case, line.run), []).append(line)


def tapes_below(folder: Path) -> list[Path]:
    """Every tape file in a folder, or the file itself."""
    return [folder] if folder.is_file() else sorted(folder.rglob(f"*{SUFFIX}"))
