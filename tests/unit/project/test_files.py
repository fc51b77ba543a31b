"""The project's files: text in UTF-8, `.yao` objects, and ids made of paths."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.files import read_text, read_yao, whole_path, yao_files


def test_a_byte_order_mark_is_no_text(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfhello")
    assert read_text(tmp_path / "a") == "hello"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("hi".encode("utf-16"), "not UTF-8 text: this is UTF-16"),
        (b"caf\xe9!", "not UTF-8 text: byte 0xe9 at 3"),
    ],
)
def test_another_encoding_is_named(tmp_path: Path, data: bytes, said: str):
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(UsageError) as caught:
        read_text(tmp_path / "a")
    assert said in str(caught.value)
    assert "save the file as UTF-8" in str(caught.value)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_text(tmp_path / "gone")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_text(tmp_path)


def test_ids_are_the_steps_of_the_path_with_dots_in_names_replaced(tmp_path: Path):
    for name in ("deepseek/v3.5.conn.yao", "gpt.conn.yao", "note.txt", "tools/a.mcp.yao"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("{}")
    assert yao_files(tmp_path, (".conn.yao",)) == {
        "deepseek.v3_5": tmp_path / "deepseek/v3.5.conn.yao",
        "gpt": tmp_path / "gpt.conn.yao",
    }
    assert yao_files(tmp_path / "nowhere", (".conn.yao",)) == {}


def test_a_yao_file_is_an_object(tmp_path: Path):
    path = tmp_path / "package.yao"
    path.write_text('{"name": "x", // a comment\n}')
    assert read_yao(path) == {"name": "x"}
    path.write_text("[1]")
    with pytest.raises(UsageError, match=r"package\.yao:1: a JSON object is expected"):
        read_yao(path)


def test_a_whole_path_has_no_steps_back_and_keeps_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert whole_path(Path("link/x")) == tmp_path / "link" / "x"
    assert whole_path(Path("link/../y")) == (tmp_path / "y").resolve()
