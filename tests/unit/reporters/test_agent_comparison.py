"""A comparison for coding agents."""

import io
from pathlib import Path

from tests.fakes import results

from vivavoce.model.result import CaseResult
from vivavoce.reporters.agent_comparison import comparison_blocks
from vivavoce.results.comparison.run_comparison import compare_runs
from vivavoce.results.file_run import FileRun
from vivavoce.results.journal import write_result_file


def stored(folder: Path, name: str, *listed: CaseResult) -> FileRun:
    out = io.StringIO()
    write_result_file(results.report_of(list(listed)), out)
    path = folder / name
    path.write_text(out.getvalue())
    return FileRun(path)


def test_what_broke_is_a_block_and_what_was_fixed_a_list(tmp_path: Path):
    bad, good = results.wrong_argument(), results.plain("pay-1")
    green = stored(tmp_path, "green.jsonl", results.plain("T1"), good)
    red = stored(tmp_path, "red.jsonl", results.plain("T1"), bad)
    broke = list(comparison_blocks(compare_runs(green, red)))
    assert "FAILED tests/pay.jsonl:12 [pay-1] Charges the card once (was passed)" in broke
    assert any(line.startswith("  again: viva test -i tests/pay.jsonl::pay-1") for line in broke)
    assert broke[-1].startswith("1 new failure, 0 fixed")
    fixed = list(comparison_blocks(compare_runs(red, green)))
    assert "fixed (1): pay-1" in fixed
    assert not any(line.startswith("FAILED") for line in fixed)
