"""Names found in a case file without decoding it."""

import os
import re
from pathlib import Path

from vivavoce.sources.scanning.quick_search import names_found

PATTERN = re.compile(rb'"workspace": "([^"]+)"')


def test_every_name_is_found_also_in_broken_json(tmp_path: Path):
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"workspace": "one"\n{"workspace": "two\xff"}\n')
    assert names_found(file, b"workspace", PATTERN) == ["one", "two\ufffd"]


def test_a_file_without_the_word_or_without_a_byte_names_nothing(tmp_path: Path):
    file = tmp_path / "a.jsonl"
    for content in ("", '{"id": "T1"}'):
        file.write_text(content)
        assert names_found(file, b"workspace", PATTERN) == []


def test_a_missing_file_and_a_pipe_name_nothing(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in ("missing.jsonl", "pipe.jsonl"):
        assert names_found(tmp_path / name, b"workspace", PATTERN) == []
