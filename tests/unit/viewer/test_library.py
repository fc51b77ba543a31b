"""The runs `viva view` shows: result files and histories, also of the version before."""

import json
import shutil
from pathlib import Path

from vivavoce.results.comparison.run_comparison import compare_runs
from vivavoce.results.history.reading import History
from vivavoce.viewer.library import Library

OLD = Path(__file__).parents[2] / "data" / "results_0_1_0"


def test_runs_written_by_0_1_0_are_shown(tmp_path: Path):
    shutil.copy(OLD / "history.db", tmp_path)
    library = Library(History(tmp_path / "history.db"), [OLD / "shard-2.jsonl"])
    assert sorted((run.results, run.summary.passed) for run in library.runs()) == [(0, 0), (8, 5), (13, 9)]
    finished = next(run for run in library.runs() if run.results == 13)
    shown = library.find(finished.info.run_id)
    assert shown is not None
    heads = [json.loads(head) for head in shown.heads(0, 100)]
    assert [head["id"] for head in heads][:3] == ["pass", "fail", "tools"]
    assert json.loads(shown.row(2) or b"")["tool_calls"][0]["name"] == "shop__refund"
    assert len(compare_runs(shown, shown).comparison.changes) == 13
