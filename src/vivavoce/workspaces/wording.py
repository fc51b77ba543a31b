"""What became of a workspace, in words."""

from collections.abc import Iterator

from vivavoce.model.json_value import JsonObject
from vivavoce.model.workspace import FileChange, WorkspaceAfter
from vivavoce.workspaces.survey import in_bytes


def change_line(change: FileChange) -> str:
    """One change: `changed app.py (120 bytes → 140 bytes)`."""
    sizes = [in_bytes(size) for size in (change.size_before, change.size) if size is not None]
    told = [" → ".join(sizes)] if sizes else []
    if change.executable is not None:
        told.append("executable now" if change.executable else "no longer executable")
    return f"{change.change} {change.path}" + (f" ({', '.join(told)})" if told else "")


def heading(after: WorkspaceAfter) -> str:
    """`Workspace shop: 2 files changed`"""
    count = len(after.changes) + after.more_changes
    words = "nothing changed" if count == 0 else "1 change" if count == 1 else f"{count} changes"
    kept = f", kept at {after.kept_at}" if after.kept_at else ""
    return f"Workspace {after.source}: {words}{kept}"


def tree_lines(after: WorkspaceAfter) -> Iterator[str]:
    """The files afterwards."""
    yield from after.files
    if after.more_files:
        yield f"… and {after.more_files} more"


def plain_lines(after: WorkspaceAfter) -> Iterator[str]:
    """All of it as plain text: what changed with its differences, then the files afterwards."""
    yield heading(after)
    for change in after.changes:
        yield f"  {change_line(change)}"
        yield from (f"    {line}" for line in change.diff.split("\n") if line)
    if after.more_changes:
        yield f"  … and {after.more_changes} more"
    yield "Files afterwards:"
    yield from (f"  {line}" for line in tree_lines(after))


def for_judges(after: WorkspaceAfter) -> JsonObject:
    """What a judge is shown: the files afterwards, and what changed."""
    changes: list[JsonObject] = [
        {"change": change_line(change), **({"diff": change.diff} if change.diff else {})} for change in after.changes
    ]
    if after.more_changes:
        changes.append({"change": f"… and {after.more_changes} more"})
    return {"files": list(tree_lines(after)), "changes": changes}
