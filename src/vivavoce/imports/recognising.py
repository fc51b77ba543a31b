"""Recognises which tool wrote a file, by its content or else by its name."""

import itertools
from collections.abc import Iterator, Set
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.foreign_files import read_json, read_lines, read_table, read_yaml
from vivavoce.imports.known import COLUMNS, KINDS, ImportKind
from vivavoce.model.json_value import JsonValue, is_array, is_object


def kind_of(path: Path, given: Set[str] = frozenset()) -> ImportKind:
    """Returns the kind of a file, given the options of the user. Raises UsageError for a file of no known kind."""
    found = set(marks_in(_beginning(path)))
    for kind in KINDS.values():
        # Options that name columns make it a table, whatever the names of its columns.
        if any(marks <= found for marks in kind.marks) and given & COLUMNS <= kind.takes:
            return kind
    for kind in KINDS.values():
        if any(path.match(pattern) for pattern in kind.files):
            return kind
    known = ", ".join(KINDS)
    raise UsageError(
        f"{path}: cannot tell which tool wrote it", hint=f"name the kind: viva import KIND {path} ({known})"
    )


def marks_in(value: JsonValue) -> Iterator[str]:
    """The names in a document: `name` at its top, `*.name` one below, `[].name` and `*[].name` in entries of lists."""
    if is_object(value):
        yield from value
        for inner in value.values():
            if is_object(inner):
                yield from (f"*.{name}" for name in inner)
            else:
                yield from (f"*{mark}" for mark in marks_in(inner))
    elif is_array(value) and value and is_object(value[0]):
        yield from (f"[].{name}" for name in value[0])


def _beginning(path: Path) -> JsonValue:
    """The document of a file, or only the first of its rows. None for an unreadable file: its reader says why."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".json":
            return read_json(path).value
        if suffix in (".yaml", ".yml"):
            return read_yaml(path).value
        if suffix in (".csv", ".tsv", ".jsonl"):
            rows = read_lines(path) if suffix == ".jsonl" else read_table(path)
            return [row for _, row in itertools.islice(rows, 1)]
    except UsageError:
        pass
    return None
