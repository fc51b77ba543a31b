from vivavoce.model.result import Status
from vivavoce.model.workspace import FileChange, WorkspaceAfter
from vivavoce.reporters.terminal.style import Look
from vivavoce.reporters.terminal.workspace import workspace_lines

AFTER = WorkspaceAfter(
    source="shop",
    files=("a.txt",),
    changes=(
        FileChange(path="a.txt", change="changed", size=2, size_before=2, diff="@@ -1 +1 @@\n-a\n+\x1b[31mb"),
        *(FileChange(path=f"b{at}", change="removed") for at in range(12)),
    ),
)


def test_a_failed_case_shows_changes_and_differences_and_nothing_a_terminal_obeys():
    lines = workspace_lines(AFTER, Status.FAILED, Look(width=80))
    assert lines[:4] == [
        "Workspace shop: 13 changes",
        "  changed a.txt (2 bytes → 2 bytes)",
        "    -a",
        "    +\\x1b[31mb",
    ]
    assert lines[-1] == "  … and 3 more"


def test_a_case_that_passed_says_only_where_a_kept_copy_is():
    assert workspace_lines(AFTER, Status.PASSED, Look(width=80)) == []
    kept = WorkspaceAfter(source="shop", kept_at="/tmp/x")
    assert workspace_lines(kept, Status.PASSED, Look(width=80)) == ["Workspace shop: nothing changed, kept at /tmp/x"]


def test_all_files_are_listed_when_asked_for_details():
    lines = workspace_lines(AFTER, Status.PASSED, Look(width=80, verbose=True))
    assert lines[-2:] == ["Files afterwards:", "  a.txt"]
