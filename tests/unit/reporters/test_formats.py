"""Which file, which format."""

from datetime import datetime
from pathlib import Path

import pytest

from vivavoce.reporters.formats import default_output_path, format_of, unused

NOW = datetime(2024, 12, 17, 10, 0, 0)


@pytest.mark.parametrize(
    ("path", "wanted"), [("r.xml", "xml"), ("R.JSONL", "jsonl"), ("summary.txt", "text"), ("noend", "text")]
)
def test_the_suffix_decides(path: str, wanted: str):
    assert format_of(path) == wanted


def test_a_directorys_results_go_into_it(tmp_path: Path):
    assert default_output_path(tmp_path, NOW) == tmp_path / "output-20241217100000.jsonl"


def test_a_taken_name_gets_a_number(tmp_path: Path):
    path = tmp_path / "output-1.jsonl"
    assert unused(path) == path
    path.touch()
    assert unused(path) == tmp_path / "output-1-2.jsonl"
    (tmp_path / "output-1-2.jsonl").touch()
    assert unused(path) == tmp_path / "output-1-3.jsonl"
