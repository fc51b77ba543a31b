"""Result files of other machines in the history."""

from pathlib import Path

import pytest
from tests.fakes.results import plain, run_info

from vivavoce.errors import UsageError
from vivavoce.results.encoding import encoded_line
from vivavoce.results.history.importing import import_results
from vivavoce.results.history.reading import History
from vivavoce.results.rows import row_line, start_row


def test_a_file_is_imported_once_and_makes_no_run(store: Path, tmp_path: Path):
    file = tmp_path / "ci.jsonl"
    file.write_bytes(encoded_line(start_row(run_info(2))) + row_line(plain("A")) + row_line(plain("B")))
    assert [(one.found, one.added) for one in import_results(store, [file, file])] == [(2, 2), (2, 0)]
    assert {facts.case_id for facts in History(store).facts()} == {"A", "B"}
    assert History(store).runs() == []


def test_what_is_no_result_file_adds_nothing(store: Path, tmp_path: Path):
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match="not a result file"):
        import_results(store, [tmp_path / "other.jsonl"])
    assert History(store).facts() == []
