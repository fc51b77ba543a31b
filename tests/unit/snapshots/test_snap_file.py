from pathlib import Path

import pytest
from msgspec import UNSET

from vivavoce.errors import UsageError
from vivavoce.snapshots.snap_file import SnapFile


def written(path: Path, **cases: dict[str, object]) -> SnapFile:
    file = SnapFile(path)
    with file.locked():
        file.write(cases)
    return file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "__snapshots__" / "pay.jsonl.snap.yaml"


def test_values_are_read_back_by_case_and_name(path: Path):
    written(path, b={"tools": [{"tool": "pay"}]}, a={"output": "one\ntwo"})
    read = SnapFile(path)
    assert read.value("a", "output") == "one\ntwo"
    assert read.value("b", "tools") == [{"tool": "pay"}]
    assert read.value("a", "tools") is UNSET
    assert SnapFile(path.with_name("other.snap.yaml")).approved() == {}


def test_the_order_of_writing_does_not_matter(path: Path, tmp_path: Path):
    first = written(path, a={"x": 1}, b={"y": 2})
    with first.locked():
        first.write({"b": {"a": 0}})
    other = tmp_path / "other" / path.name
    second = written(other, b={"a": 0, "y": 2})
    with second.locked():
        second.write({"a": {"x": 1}})
    assert path.read_bytes() == other.read_bytes()
    assert path.read_text().startswith("# Approved answers of pay.jsonl.")


def test_what_others_wrote_by_hand_keeps_its_bytes(path: Path):
    path.parent.mkdir()
    path.write_text("# ours\n\nb:  # why\n  output: 'x'   \nz: {output: 3}\n")
    written(path, c={"output": "y"})
    assert path.read_text() == "# ours\n\nb:  # why\n  output: 'x'   \nc:\n  output: y\nz: {output: 3}\n"


def test_a_file_on_one_line_is_laid_out_anew(path: Path):
    path.parent.mkdir()
    path.write_text("{a: {output: 1}, b: {output: 2}}")
    written(path, c={"output": 3})
    assert SnapFile(path).approved() == {"a": {"output": 1}, "b": {"output": 2}, "c": {"output": 3}}


@pytest.mark.parametrize(
    "text",
    [
        "---\na:\n  output: 1\nb:\n  output: 2\n...\n",
        "  a:\n    output: 1\n  b:\n    output: 2\n",
        "a: &one\n  output: 1\nb:\n  <<: *one\n  output: 2\n",
        "a:\n  output: &x 1\nb:\n  output: 2\n  more: [*x]\n",
        "? a\n: output: 1\n? b\n: output: 2\n",
        "%YAML 1.2\n---\na: {output: 1}\nb: {output: 2}\n",
        "\ufeffa: {output: 1}\nb: {output: 2}\n",
    ],
)
@pytest.mark.parametrize("changed", ["a", "b", "c"])
def test_whatever_was_written_by_hand_can_be_read_after_a_change(path: Path, text: str, changed: str):
    path.parent.mkdir()
    path.write_text(f"# ours\n{text}" if text[0] not in "%\ufeff" else text)
    before = SnapFile(path).approved()
    change: dict[str, dict[str, object]] = {changed: {"output": 3}}
    written(path, **change)
    assert SnapFile(path).approved() == {**before, changed: {**before.get(changed, {}), "output": 3}}
    if text[0] not in "%\ufeff":
        assert path.read_text().startswith("# ours\n")


def test_a_star_in_an_answer_is_no_reference(path: Path):
    path.parent.mkdir()
    text = "# ours\na:  # why\n  output: 2 * 3 & more\nb:\n  output: |-\n    so *bold*  &c\n"
    path.write_text(text)
    written(path, c={"output": 3})
    assert path.read_text() == f"{text}c:\n  output: 3\n"


def test_removing_the_last_one_removes_the_file(path: Path):
    file = written(path, a={"x": 1, "y": 2})
    with file.locked():
        file.write({"a": {"x": UNSET}})
    assert SnapFile(path).approved() == {"a": {"y": 2}}
    with file.locked():
        file.write({"a": {"y": UNSET}})
    assert not path.exists()
    assert file.approved() == {}


def test_changes_of_others_are_seen(path: Path):
    file = written(path, a={"x": 1})
    written(path, b={"x": 2})
    assert file.value("b", "x") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1]\n", "pay.jsonl.snap.yaml:1: the case 'a' must be a mapping"),
        ("- a\n", "one mapping of cases is expected"),
        ("", "it holds no snapshot"),
        ("# Appro", "it holds no snapshot"),
        ("a: {x: 1}\n---\nb: {x: 1}\n", "one mapping of cases is expected"),
        ("a:\n<<<<<<< HEAD\n  x: 1\n=======\n  x: 2\n>>>>>>> other\n", "snap.yaml:2: a merge conflict is left in it"),
        ("a:\n\tx: 1\n", "bad YAML"),
    ],
)
def test_a_damaged_file_is_an_error_with_its_line(path: Path, text: str, said: str):
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(UsageError) as problem:
        SnapFile(path).approved()
    assert said in str(problem.value)


def test_a_killed_writer_leaves_nothing_that_stays(path: Path):
    path.parent.mkdir()
    left = path.with_name(f".{path.name}.12345.tmp")
    left.write_text("half")
    written(path, a={"x": 1})
    assert not left.exists()
    assert [child.name for child in path.parent.iterdir()] == [path.name]
