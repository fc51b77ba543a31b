"""Reading foreign files."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.imports.foreign_files import (
    inside,
    is_there,
    list_in,
    matching,
    read_json,
    read_lines,
    read_table,
    read_text,
    read_yaml,
    read_yaml_1_1,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "in"
    (place / "more").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "more/c.txt"):
        (place / name).write_text(name)
    (tmp_path / "secret.txt").write_text("root:x:0")
    return place


def test_a_pattern_stands_for_files_of_the_folder(folder: Path):
    assert [file.name for file in matching(folder, "*.txt")] == ["a.txt", "b.txt"]
    assert [file.name for file in matching(folder, "**/c.*")] == ["c.txt"]
    assert matching(folder, "a.txt") == [folder / "a.txt"]
    assert matching(folder, "no*.txt") == []


@pytest.mark.parametrize("pattern", ["../*.txt", "/etc/pass*", "more/../../*.txt", "../secret.txt"])
def test_no_pattern_leads_out_of_the_folder(pattern: str, folder: Path):
    with pytest.raises(UsageError, match="outside the folder"):
        matching(folder, pattern)


def test_neither_does_a_link(folder: Path):
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    with pytest.raises(UsageError, match="outside the folder"):
        matching(folder, "l*.txt")
    with pytest.raises(UsageError, match="outside the folder"):
        inside(folder, "link.txt")


def test_what_cannot_be_a_name_is_no_file(folder: Path):
    with pytest.raises(UsageError, match="is not a file name"):
        inside(folder, "a\0b")
    assert not is_there(folder / "a\0b")
    assert not is_there(folder / ("x" * 5000))


def test_a_bad_pattern_is_an_error(folder: Path):
    with pytest.raises(UsageError, match="x\\*\\*y"):
        matching(folder, "x**y")


def test_json_keeps_the_lines_of_its_values(tmp_path: Path):
    (tmp_path / "x.json").write_text('{"a": 1,\n\t"b": [\n{"c": 2}]}')
    document = read_json(tmp_path / "x.json")
    assert document.value == {"a": 1, "b": [{"c": 2}]}
    assert document.line_of(("b", 0)) == 3


@pytest.mark.parametrize("text", ["{", "[" * 20_000, '{"a": 1'])
def test_broken_json_is_an_error_with_its_file(text: str, tmp_path: Path):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(UsageError, match=r"x\.json"):
        read_json(tmp_path / "x.json")


def test_yaml_is_read_as_the_tool_reads_it(tmp_path: Path):
    (tmp_path / "x.yaml").write_text("a: yes\nb: 2024-01-01\n")
    assert read_yaml(tmp_path / "x.yaml").value == {"a": "yes", "b": "2024-01-01"}
    assert read_yaml_1_1(tmp_path / "x.yaml") == {"a": True, "b": "2024-01-01"}


def test_rows_know_their_lines(tmp_path: Path):
    (tmp_path / "x.csv").write_text('q,a\n"two\nlines",x\n\nHi,y\n')
    assert list(read_table(tmp_path / "x.csv")) == [(2, {"q": "two\nlines", "a": "x"}), (5, {"q": "Hi", "a": "y"})]
    (tmp_path / "x.tsv").write_text("q\ta\nHi\tx\n")
    assert list(read_table(tmp_path / "x.tsv")) == [(2, {"q": "Hi", "a": "x"})]
    (tmp_path / "x.jsonl").write_text('{"q": 1}\n\n{"q": 2}\n')
    assert list(read_lines(tmp_path / "x.jsonl")) == [(1, {"q": 1}), (3, {"q": 2})]


@pytest.mark.parametrize("text", ["q,a\n1,2,3\n", "", 'q\n"open\n'])
def test_a_broken_table_is_an_error(text: str, tmp_path: Path):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(UsageError, match=r"x\.csv"):
        list(read_table(tmp_path / "x.csv"))


def test_what_is_no_text_is_an_error(tmp_path: Path):
    (tmp_path / "x").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        read_text(tmp_path / "x")
    with pytest.raises(UsageError, match="cannot be read"):
        read_text(tmp_path)


def test_one_value_is_a_list_of_it():
    assert (list_in({"a": 1}, "a"), list_in({"a": [1]}, "a"), list_in({}, "a")) == ([1], [1], [])
