"""The table of kept runs, at any width."""

from pathlib import Path

import pytest
from tests.fakes.kept_runs import keep_run
from tests.fakes.results import plain

from vivavoce.cli.commands.history import table_lines
from vivavoce.results.history.reading import History

INPUTS = ("tests/a-folder-with-a-long-name/one.jsonl", "tests/another-folder/two.jsonl")


@pytest.mark.parametrize("width", [20, 60, 100, 160, 1000])
def test_a_line_is_never_wider_than_the_terminal_nor_cut_without_need(tmp_path: Path, width: int):
    keep_run(tmp_path / "history.db", "a1b2c3d4e5f6", [plain("a")], inputs=INPUTS)
    head, line = table_lines(History(tmp_path / "history.db").runs(5), width)
    assert max(len(head), len(line)) <= width
    assert (", ".join(INPUTS) in line) is (width >= 160)
    assert line.endswith("…") is (width in (20, 100))
    assert "1/1 passed" in line or width == 20, "the result is the last thing to go"
