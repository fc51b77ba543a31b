import os
from pathlib import Path

import pytest

from vivavoce.workspaces.survey import Limits, in_bytes, survey


def test_everything_below_a_folder_is_found_and_links_are_not_followed(tmp_path: Path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.txt").write_text("12345")
    (tmp_path / "loop").symlink_to(".")
    os.mkfifo(tmp_path / "pipe")
    found = survey(str(tmp_path), Limits())
    kinds = {path: entry.kind for path, entry in found.entries.items()}
    assert kinds == {"a": "folder", "a/b": "folder", "a/b/c.txt": "file", "loop": "link", "pipe": "special"}
    assert found.size == 5
    assert not found.too_large


@pytest.mark.parametrize(
    ("limits", "words"), [(Limits(entries=1), "more than 1 files"), (Limits(size=7), "more than 7 bytes")]
)
def test_it_stops_at_a_limit_and_says_which(tmp_path: Path, limits: Limits, words: str):
    (tmp_path / "a").write_text("1234")
    (tmp_path / "b").write_text("1234")
    assert survey(str(tmp_path), limits).too_large == words


@pytest.mark.parametrize(("size", "words"), [(1, "1 byte"), (312, "312 bytes"), (1536, "1.5 KB"), (2**30, "1 GB")])
def test_sizes_in_words(size: int, words: str):
    assert in_bytes(size) == words
