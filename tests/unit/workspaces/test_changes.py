import os
from pathlib import Path

import pytest
from tests.fakes.world import workspace_in

from vivavoce.model.workspace import FileChange
from vivavoce.workspaces.changes import changed_outside, compare, describe, size_warning
from vivavoce.workspaces.survey import Limits

BEFORE = {"app.py": "a = 1\nb = 2\n", "old.txt": "gone soon\n", "keep.txt": "same\n"}


def test_the_tree_and_the_diff_tell_what_was_added_changed_and_removed(tmp_path: Path):
    workspace = workspace_in(tmp_path, BEFORE, {"app.py": "a = 1\nb = 3\n", "old.txt": None, "sub/new.txt": "hello\n"})
    after = describe(workspace, Limits())
    assert after.source == "fixtures/shop"
    assert after.files == ("app.py", "keep.txt", "sub/new.txt")
    told = {change.path: (change.change, change.diff.splitlines()[1:]) for change in after.changes if change.diff}
    assert told == {
        "app.py": ("changed", [" a = 1", "-b = 2", "+b = 3"]),
        "old.txt": ("removed", ["-gone soon"]),
        "sub/new.txt": ("added", ["+hello"]),
    }
    assert after.outside == ()


def test_content_of_the_same_size_and_time_is_still_a_change(tmp_path: Path):
    workspace = workspace_in(tmp_path, BEFORE, {})
    place = Path(workspace.folder, "keep.txt")
    times = place.stat()
    place.write_text("SAME\n")
    os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert list(compare(workspace, Limits()).changed) == ["keep.txt"]


def test_a_binary_file_is_told_by_its_size(tmp_path: Path):
    workspace = workspace_in(tmp_path, BEFORE, {})
    Path(workspace.folder, "keep.txt").write_bytes(b"\x00\xff" * 1024)
    (change,) = describe(workspace, Limits()).changes
    assert change == FileChange(path="keep.txt", change="changed", size=2048, size_before=5)


def test_many_and_long_changes_are_shortened(tmp_path: Path):
    workspace = workspace_in(tmp_path, {}, {f"f{at:03}.txt": f"{at}\n" * 1500 for at in range(120)})
    after = describe(workspace, Limits())
    assert (len(after.files), after.more_files) == (100, 20)
    assert (len(after.changes), after.more_changes) == (50, 70)
    assert sum(len(change.diff) for change in after.changes) < 30_000


@pytest.mark.parametrize(("name", "text"), [("app.py", "a = 9\nb = 2\n"), ("more.txt", "x"), ("old.txt", None)])
def test_what_was_written_to_the_original_is_told(tmp_path: Path, name: str, text: str | None):
    workspace = workspace_in(tmp_path, BEFORE, {})
    place = Path(workspace.original, name)
    if text is None:
        place.unlink()
    else:
        place.write_text(text)
    word = {"app.py": "changed", "more.txt": "added", "old.txt": "removed"}[name]
    assert changed_outside(workspace) == [f"fixtures/shop/{name}: {word}"]


def test_an_original_that_was_only_touched_is_unchanged(tmp_path: Path):
    workspace = workspace_in(tmp_path, BEFORE, {})
    os.utime(Path(workspace.original, "app.py"), ns=(1, 1))
    assert changed_outside(workspace) == []


def test_what_is_written_beside_the_copy_is_told(tmp_path: Path):
    workspace = workspace_in(tmp_path, BEFORE, {})
    Path(workspace.folder).parent.joinpath("notes.txt").write_text("x")
    assert changed_outside(workspace) == ["../notes.txt: added beside the workspace"]


def test_a_workspace_that_grew_too_large_is_a_warning(tmp_path: Path):
    workspace = workspace_in(tmp_path, BEFORE, {})
    with open(Path(workspace.folder, "core"), "wb") as file:
        file.truncate(2**31)
    assert size_warning(workspace, Limits()) == (
        "the agent left more than 1 GB in its workspace: not all of it is compared"
    )
