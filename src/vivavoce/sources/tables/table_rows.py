"""Tables that cases are made from: CSV, TSV and JSONL, read row by row."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.notation.place import quoted
from vivavoce.sources.scanning.object_reader import Broken, Found, ObjectReader
from vivavoce.wording.plurals import counted

DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON_LINES = (".jsonl", ".ndjson")
TABLE_SUFFIXES = (*DELIMITERS, *JSON_LINES)
_LARGEST_CELL = 2**26
"""In characters. So that a missing quote does not read a huge file into memory."""


class Row(Struct, frozen=True, gc=False):
    """One row of a table."""

    values: JsonObject
    line: int
    number: int
    """Counted from 1, without the header."""


class Table:
    """A table in a file; `shown` is its path in messages. `columns` are known after its first row was read."""

    def __init__(self, path: Path, shown: str, delimiter: str | None = None) -> None:
        self._path = path
        self.shown = shown
        self._delimiter = delimiter or DELIMITERS.get(path.suffix.lower())
        self.columns: list[str] | None = None
        """The header of a CSV or TSV; None for JSONL, where every row has its own keys."""

    def rows(self) -> Iterator[Row | UsageError]:
        """Each row in order; an error in place of a bad one."""
        try:
            if self._delimiter is None:
                yield from self._json_rows()
            else:
                # Excel begins its files with a byte-order mark.
                with self._path.open(encoding="utf-8-sig", newline="") as file:
                    yield from self._separated_rows(file, self._delimiter)
        except OSError as error:
            yield UsageError(f"cannot be read: {error.strerror}", at=self.shown)

    def problem(self, what: str, line: int, hint: str | None = None) -> UsageError:
        return UsageError(what, at=Origin(self.shown, line), hint=hint)

    # ── CSV and TSV ──

    def _separated_rows(self, file: TextIO, delimiter: str) -> Iterator[Row | UsageError]:
        csv.field_size_limit(_LARGEST_CELL)
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        number, begins = 0, 1
        while True:
            begins = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield self.problem(f"bad {'TSV' if delimiter == chr(9) else 'CSV'}: {error}", begins, _QUOTES)
                return
            except UnicodeDecodeError:
                yield self.problem("not UTF-8 text", self._no_text_at(), "save the file as UTF-8")
                return
            if not any(cells):
                continue
            if self.columns is None:
                problem = self._header(cells, begins)
                if problem is not None:
                    yield problem
                    return
                continue
            number += 1
            columns = self.columns
            if len(cells) == len(columns):
                yield Row(dict(zip(columns, cells, strict=True)), begins, number)
            else:
                what = f"{counted(len(cells), 'cell')}, but the header has {len(columns)}: {', '.join(columns)}"
                yield self.problem(what, begins, _QUOTES)

    def _no_text_at(self) -> int:
        """The first line that is not UTF-8 text. The CSV reader does not know it, because it decodes ahead."""
        with self._path.open(encoding="utf-8-sig", newline="", errors="surrogateescape") as file:
            return next((number for number, line in enumerate(file, 1) if not _is_unicode(line)), 1)

    def _header(self, cells: list[str], line: int) -> UsageError | None:
        names = [cell.strip() for cell in cells]
        self.columns = names
        if "" in names:
            return self.problem(f"column {names.index('') + 1} has no name", line, "the first row names the columns")
        twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
        return None if twice is None else self.problem(f"two columns are named {twice!r}", line)

    # ── JSONL ──

    def _json_rows(self) -> Iterator[Row | UsageError]:
        number = 0
        with self._path.open("rb") as file:
            for found in ObjectReader(file):
                if isinstance(found, Broken):
                    yield self.problem(found.what, found.line, found.hint)
                elif isinstance(found, Found) and is_object(found.value):
                    number += 1
                    yield Row(found.value, found.line, number)
                elif isinstance(found, Found):
                    yield self.problem(f"wanted an object, found {quoted(found.value)}", found.line)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_QUOTES = 'write a cell with the separator, a quote or a line break in quotes: "…", and a quote in it twice'
