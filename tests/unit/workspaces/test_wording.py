from vivavoce.model.workspace import FileChange, WorkspaceAfter
from vivavoce.workspaces.wording import change_line, for_judges, heading, plain_lines

AFTER = WorkspaceAfter(
    source="shop",
    files=("a.txt",),
    more_files=3,
    changes=(FileChange(path="a.txt", change="changed", size=2048, size_before=5, diff="-a\n+b"),),
    more_changes=1,
    kept_at="/tmp/x",
)


def test_a_workspace_in_words():
    assert heading(AFTER) == "Workspace shop: 2 changes, kept at /tmp/x"
    assert heading(WorkspaceAfter(source="shop")) == "Workspace shop: nothing changed"
    assert change_line(AFTER.changes[0]) == "changed a.txt (5 bytes → 2 KB)"
    assert change_line(FileChange(path="a", change="removed")) == "removed a"


def test_a_judge_is_shown_the_files_and_the_changes():
    assert for_judges(AFTER) == {
        "files": ["a.txt", "… and 3 more"],
        "changes": [{"change": "changed a.txt (5 bytes → 2 KB)", "diff": "-a\n+b"}, {"change": "… and 1 more"}],
    }


def test_a_file_that_can_be_run_now_is_told():
    assert change_line(FileChange(path="a", change="changed", executable=True)) == "changed a (executable now)"
    changed = FileChange(path="a", change="changed", size=1, size_before=1, executable=False)
    assert change_line(changed) == "changed a (1 byte → 1 byte, no longer executable)"


def test_a_workspace_as_plain_text_has_differences_and_files():
    assert list(plain_lines(AFTER)) == [
        "Workspace shop: 2 changes, kept at /tmp/x",
        "  changed a.txt (5 bytes → 2 KB)",
        "    -a",
        "    +b",
        "  … and 1 more",
        "Files afterwards:",
        "  a.txt",
        "  … and 3 more",
    ]
