"""What the table of assertions does not show: where a file check cannot look."""

import os
from pathlib import Path

import pytest
from tests.fakes.evidence import check
from tests.fakes.world import left, workspace_in

from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome
from vivavoce.plugins.assertion_building import build_check


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"path": "/etc/passwd"}, "must lie in the workspace"),
        ({"path": "../x"}, "must lie in the workspace"),
        ({"path": "x", "exists": True, "absent": False}, "say the same thing"),
        ({"path": "x", "absent": True, "contains": "y"}, "no content to look at"),
        ({"path": "x", "matches": "("}, "regex"),
        ({"path": "x.*", "absent": True}, "names one file or folder"),
        ({"path": " x", "absent": True}, "names one file or folder"),
    ],
)
def test_what_makes_no_sense_is_refused_at_load(fields: dict[str, object], words: str):
    with pytest.raises(UsageError, match=words):
        build_check(AssertionSpec(type="file", fields=fields))


async def test_links_out_pipes_and_folders_are_broken_never_a_pass(tmp_path: Path):
    workspace = workspace_in(tmp_path, {"a.txt": "x"}, {})
    Path(workspace.folder, "out").symlink_to("/etc/hostname")
    os.mkfifo(Path(workspace.folder, "pipe"))
    for path in ("out", "pipe"):
        assert (await check("file", left(workspace), path=path, contains="x")).outcome is Outcome.BROKEN
    assert (await check("file", left(workspace), path="out", absent=True)).outcome is Outcome.BROKEN


async def test_a_workspace_that_the_agent_removed_is_broken(tmp_path: Path):
    workspace = workspace_in(tmp_path, {"a.txt": "x"}, {"a.txt": None})
    Path(workspace.folder).rmdir()
    assert (await check("file", left(workspace), path="a.txt", absent=True)).outcome is Outcome.BROKEN


async def test_nothing_is_unchanged_when_the_original_was_changed_too(tmp_path: Path):
    workspace = workspace_in(tmp_path, {"a.txt": "x", "b.txt": "y"}, {"a.txt": "z"})
    Path(workspace.original, "a.txt").write_text("z")
    verdict = await check("file", left(workspace), path="a.txt", unchanged=True)
    assert verdict.outcome is Outcome.BROKEN
    assert "original" in verdict.reason
    assert (await check("file", left(workspace), path="b.txt", unchanged=True)).passed
