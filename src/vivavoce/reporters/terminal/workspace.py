"""What an agent left in its workspace, below a case that did not pass."""

from vivavoce.model.result import UNSUCCESSFUL, Status
from vivavoce.model.workspace import WorkspaceAfter
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.terminal_text import clip, neutral
from vivavoce.workspaces.wording import change_line, heading, tree_lines

_MOST_CHANGES = 10
_MOST_DIFF_LINES = 20
"""Of all changes together."""


def workspace_lines(after: WorkspaceAfter, status: Status, look: Look) -> list[str]:
    """The changes with the beginning of their differences, and all files with -v.

    A case that passed shows a line where the copy was kept, and everything with -v.
    """
    if status not in UNSUCCESSFUL and not look.verbose:
        return [look.dim(clip(heading(after), look.width - 4))] if after.kept_at else []
    lines = [look.dim(clip(heading(after), look.width - 4))]
    room = _MOST_DIFF_LINES
    for change in after.changes[:_MOST_CHANGES]:
        lines.append(f"  {clip(change_line(change), look.width - 8)}")
        shown = [line for line in change.diff.split("\n") if line and not line.startswith("@@")][:room]
        room -= len(shown)
        lines += [f"    {_painted(line, look)}" for line in shown]
    more = len(after.changes) + after.more_changes - _MOST_CHANGES
    lines += [f"  … and {more} more"] if more > 0 else []
    if look.verbose:
        lines += [look.dim("Files afterwards:"), *(f"  {clip(line, look.width - 8)}" for line in tree_lines(after))]
    return lines


def _painted(line: str, look: Look) -> str:
    text = neutral(line, keep_newlines=False)[: max(look.width - 10, 20)]
    return look.good(text) if line[0] == "+" else look.bad(text) if line[0] == "-" else text
