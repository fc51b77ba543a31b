"""Which file, which format."""

from datetime import datetime
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.plugins.catalog import REPORTS
from vivavoce.plugins.declarations import ReportFormat
from vivavoce.reporters.formats import default_output_path, document_suffixes, format_of, unused

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


def test_a_suffix_that_two_formats_claim_is_an_error():
    for name in ("one", "two"):
        REPORTS.register(name, ReportFormat(name=name, suffixes=(".dup",), write=print), "test_formats.py")
    try:
        with pytest.raises(UsageError, match=r"one and two both have the suffix \.dup"):
            format_of("r.dup")
        assert {".json", ".md", ".html", ".xml", ".dup"} == set(document_suffixes())
    finally:
        REPORTS.forget_file("test_formats.py")
    assert format_of("r.dup") == "text"
