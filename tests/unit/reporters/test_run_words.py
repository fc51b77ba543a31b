"""A run in a few words."""

from pathlib import Path

import pytest
from msgspec import structs
from tests.fakes.kept_runs import keep_run
from tests.fakes.results import plain

from vivavoce.model.message import Usage
from vivavoce.reporters.run_words import about, title
from vivavoce.results.history.reading import History
from vivavoce.results.history.records import KeptRun


@pytest.fixture
def run(tmp_path: Path) -> KeptRun:
    keep_run(tmp_path / "history.db", "a1b2c3d4e5f6", [plain("a")])
    (kept,) = History(tmp_path / "history.db").runs(1)
    return structs.replace(kept, revision=None)


def test_what_tells_a_run_from_others(run: KeptRun):
    assert about(run) == ""
    usage = Usage(input_tokens=1, output_tokens=1, cost=0.12)
    known = structs.replace(
        run,
        info=structs.replace(run.info, title="nightly\n", branch="main", dirty=True),
        revision="3f2a90c1b7de",
        summary=structs.replace(run.summary, usage=usage),
    )
    assert about(known).split(" · ")[1:] == ["3f2a90c* on main", "$0.1200"]
    assert about(known).startswith("nightly")
    assert "\n" not in about(known)


def test_a_title_says_what_is_known(run: KeptRun):
    assert title(run).startswith("a1b2c3d4e5f6 (")
    assert title(run).endswith("1/1 passed)")
    assert title(structs.replace(run, revision="3f2a90c1b7de")).endswith("1/1 passed; 3f2a90c)")
