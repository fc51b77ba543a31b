from pathlib import Path
from typing import Any

import pytest

from vivavoce.engine.plan.snapshot_checks import refuse_bad_snapshots
from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.sources.decoding.case_decoder import decode_case


def case(folder: Path, **fields: Any) -> Case:
    (folder / "a.jsonl").write_text("{}")
    return decode_case({"id": "T", "input": "hi", **fields}, Origin(str(folder / "a.jsonl"), 1))


def test_snapshots_of_different_things_are_fine(tmp_path: Path):
    snapshots = [{"type": "snapshot"}, {"type": "snapshot", "of": "tools"}, {"type": "snapshot", "path": "$.a"}]
    refuse_bad_snapshots(case(tmp_path, **{"assert": [*snapshots, {"type": "snapshot", "name": "again"}]}))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"assert": [{"type": "snapshot"}, {"type": "snapshot", "similar": 0.9}]}, "both called 'output'"),
        ({"assert": {"type": "snapshot", "negate": True}}, "cannot be negated"),
        ({"checkpoints": [{"id": "c", "assert": {"type": "snapshot"}}], "simulator": {"use": "s"}}, "checkpoint 'c'"),
    ],
)
def test_what_could_not_work_is_told_before_anything_runs(tmp_path: Path, fields: dict[str, Any], said: str):
    with pytest.raises(UsageError, match=said):
        refuse_bad_snapshots(case(tmp_path, **fields))
