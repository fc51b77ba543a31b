"""Which files are tables of cases beside them."""

import os
from pathlib import Path

from vivavoce.sources.tables.named_tables import is_table_of_a_neighbour, tables_named_in


def test_tables_are_found_however_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "a", "each": "one.jsonl"}\n{"each": {"file": "sub/two.jsonl"}}\n')
    (tmp_path / "b.viva.yaml").write_text("each: { file: three.jsonl, id: x }\n---\neach: four.jsonl\n")
    (tmp_path / "c.viva.yaml").write_text("each:\n  file: five.ndjson\n")
    found = [
        str(table.relative_to(tmp_path)) for name in ("a.jsonl", "b.viva.yaml") for table in _named(tmp_path / name)
    ]
    assert found == ["one.jsonl", "sub/two.jsonl", "three.jsonl", "four.jsonl"]
    assert [table.name for table in _named(tmp_path / "c.viva.yaml")] == ["five.ndjson"]


def test_what_names_no_table_costs_nothing_and_a_pipe_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jsonl")
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "reach.jsonl").write_text('{"id": "x", "input": "reach: out.jsonl"}')
    assert [_named(tmp_path / name) for name in ("p.jsonl", "empty.jsonl", "missing.jsonl", "reach.jsonl")] == [[]] * 4


def test_a_table_of_a_neighbour(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "a", "each": "people.jsonl"}')
    (tmp_path / "people.jsonl").write_text('{"name": "ada"}')
    assert is_table_of_a_neighbour(tmp_path / "people.jsonl")
    assert not is_table_of_a_neighbour(tmp_path / "a.jsonl")


def _named(file: Path) -> list[Path]:
    return list(tables_named_in(file))
