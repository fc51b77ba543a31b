"""Tables are read row by row, and what is wrong with a row is told with its line."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.sources.tables.table_rows import Row, Table


def _rows(path: Path, text: str | bytes, **more: Any) -> list[Any]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [
        (row.number, row.line, row.values) if isinstance(row, Row) else str(row).removeprefix(f"{path.parent}/")
        for row in Table(path, str(path), **more).rows()
    ]


def test_csv_with_quotes_blank_lines_and_cells_over_several_lines(tmp_path: Path) -> None:
    text = '\ufefforder,text\r\nA-1,"a, ""b"""\r\n\r\nA-2,"two\nlines"\r\nA-3,\r\n'
    assert _rows(tmp_path / "t.csv", text) == [
        (1, 2, {"order": "A-1", "text": 'a, "b"'}),
        (2, 4, {"order": "A-2", "text": "two\nlines"}),
        (3, 6, {"order": "A-3", "text": ""}),
    ]


def test_tsv_and_another_separator(tmp_path: Path) -> None:
    assert _rows(tmp_path / "t.tsv", "a\tb\n1\t2,3\n") == [(1, 2, {"a": "1", "b": "2,3"})]
    assert _rows(tmp_path / "t.csv", "a;b\n1;2,3\n", delimiter=";") == [(1, 2, {"a": "1", "b": "2,3"})]


def test_jsonl_keeps_types_and_goes_on_after_a_broken_row(tmp_path: Path) -> None:
    first, broken, no_object, last = _rows(tmp_path / "t.jsonl", '{"n": 1, "l": [2]}\n{"n": }\n[3]\n\n{"n": null}\n')
    assert first == (1, 1, {"n": 1, "l": [2]})
    assert broken.startswith("t.jsonl:2: ")
    assert no_object == "t.jsonl:3: wanted an object, found a list"
    assert last == (2, 5, {"n": None})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a,b\n1,2\n1\n", "t.csv:3: 1 cell, but the header has 2: a, b"),
        ("a,b\n1,2,3\n", "t.csv:2: 3 cells, but the header has 2: a, b"),
        ("a,a\n1,2\n", "t.csv:1: two columns are named 'a'"),
        ("a,,c\n1,2,3\n", "t.csv:1: column 2 has no name"),
        ('a\n1\n"never closed\n2\n', "t.csv:3: bad CSV: unexpected end of data"),
        (b"a\nx\n\xff\n", "t.csv:3: not UTF-8 text"),
        (b"a\n" + b"x\n" * 100_000 + b"caf\xe9\n" + b"x\n" * 100_000, "t.csv:100002: not UTF-8 text"),
        (b"a\rx\r\xff\r", "t.csv:3: not UTF-8 text"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str | bytes, problem: str) -> None:
    assert any(isinstance(row, str) and row.startswith(problem) for row in _rows(tmp_path / "t.csv", text))


def test_a_table_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    (problem,) = Table(tmp_path / "t.csv", "t.csv").rows()
    assert str(problem) == "t.csv: cannot be read: No such file or directory"
