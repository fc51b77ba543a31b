"""What an agent changed: the copy against what was copied, and the original against what it was."""

import os
from collections.abc import Iterator

from msgspec import Struct, structs

from vivavoce.model.workspace import Entry, FileChange, Workspace, WorkspaceAfter
from vivavoce.workspaces.reading import CannotLook, content_of, digest_of
from vivavoce.workspaces.survey import Limits, Survey, entry_at, survey

MOST_FILES_LISTED = 100
MOST_CHANGES_LISTED = 50
LONGEST_DIFF = 4_000
LONGEST_DIFFS = 20_000
"""Characters, of all differences together."""
_LARGEST_COMPARED = 64 * 1024
_MOST_LINES_COMPARED = 2_000


class Comparison(Struct, frozen=True, kw_only=True):
    """Which paths of a copy differ from what was copied."""

    changed: dict[str, tuple[Entry | None, Entry | None]]
    """Path → the entry before and after; None: there was or is none."""
    found: Survey


def compare(workspace: Workspace, limits: Limits) -> Comparison:
    """Compares the copy with what was copied, by content. Raises OSError when the copy is gone."""
    found = survey(workspace.folder, limits)
    changed: dict[str, tuple[Entry | None, Entry | None]] = {}
    for path in sorted({*workspace.before, *found.entries}):
        before, after = workspace.before.get(path), found.entries.get(path)
        if not _is_same(before, after, os.path.join(workspace.folder, path)):
            changed[path] = (before, after)
    return Comparison(changed=changed, found=found)


def changed_outside(workspace: Workspace) -> list[str]:
    """What changed outside the copy: in the original folder since it was copied, or beside the copy."""
    try:
        found = survey(workspace.original, Limits()).entries
    except OSError:
        return [f"{workspace.name}: the folder is gone"]
    seen: list[str] = []
    for path in sorted({*workspace.before, *found}):
        before, after = workspace.before.get(path), found.get(path)
        if not is_still_original(workspace, path, before, after):
            word = "added" if before is None else "removed" if after is None else "changed"
            seen.append(f"{workspace.name}/{path}: {word}")
    parent, own = os.path.split(workspace.folder)
    beside = sorted(name for name in os.listdir(parent) if name != own)
    return [*seen, *(f"../{name}: added beside the workspace" for name in beside)]


def is_still_original(workspace: Workspace, path: str, before: Entry | None, after: Entry | None) -> bool:
    """Whether an entry of the original is as it was copied; its content is read only when its times differ."""
    if before is None or after is None:
        return before is after
    if structs.replace(before, digest="") == after:
        return True
    if before.kind == "folder" and after.kind == "folder":
        return True  # what was added or removed in it is an entry of its own
    return _is_same(before, after, os.path.join(workspace.original, path))


def original_entry(workspace: Workspace, path: str) -> Entry | None:
    """The original's entry at a path as it is now; None when there is none."""
    try:
        return entry_at(os.path.join(workspace.original, path))
    except OSError:
        return None


def describe(workspace: Workspace, limits: Limits, kept_at: str | None = None) -> WorkspaceAfter:
    """What a report shows of a workspace afterwards. Raises OSError when the copy is gone."""
    outcome = compare(workspace, limits)
    files = sorted(_tree(outcome.found))
    listed = list(outcome.changed.items())[:MOST_CHANGES_LISTED]
    changes: list[FileChange] = []
    room = LONGEST_DIFFS
    for path, (before, after) in listed:
        diff = _diff(workspace, path, before, after) if room > 0 else ""
        room -= len(diff)
        changes.append(_change(path, before, after, diff))
    return WorkspaceAfter(
        source=workspace.name,
        files=tuple(files[:MOST_FILES_LISTED]),
        more_files=max(0, len(files) - MOST_FILES_LISTED),
        changes=tuple(changes),
        more_changes=len(outcome.changed) - len(listed),
        outside=tuple(changed_outside(workspace)[:MOST_CHANGES_LISTED]),
        kept_at=kept_at,
    )


def size_warning(workspace: Workspace, limits: Limits) -> str | None:
    """A warning when the agent left more in its workspace than is looked at."""
    found = survey(workspace.folder, limits)
    return f"the agent left {found.too_large} in its workspace: not all of it is compared" if found.too_large else None


def _tree(found: Survey) -> Iterator[str]:
    """The files, and the folders that are empty."""
    parents = {os.path.dirname(path) for path in found.entries}
    for path, entry in found.entries.items():
        if entry.kind != "folder":
            yield path
        elif path not in parents:
            yield f"{path}/"


def _is_same(before: Entry | None, after: Entry | None, place: str) -> bool:
    if before is None or after is None or before.kind != after.kind:
        return False
    if before.kind == "link":
        return before.link == after.link
    if before.kind != "file":
        return before.kind == "folder"
    if before.size != after.size or (before.mode ^ after.mode) & 0o111:
        return False
    try:
        return digest_of(place) == before.digest
    except (OSError, CannotLook):
        return False


def _change(path: str, before: Entry | None, after: Entry | None, diff: str) -> FileChange:
    return FileChange(
        path=path,
        change="added" if before is None else "removed" if after is None else "changed",
        size=after.size if after is not None and after.kind == "file" else None,
        size_before=before.size if before is not None and before.kind == "file" else None,
        diff=diff,
        executable=_is_executable(after) if _became_other_mode(before, after) else None,
    )


def _became_other_mode(before: Entry | None, after: Entry | None) -> bool:
    if before is None or after is None or not before.kind == after.kind == "file":
        return False
    return _is_executable(before) != _is_executable(after)


def _is_executable(entry: Entry | None) -> bool:
    return entry is not None and bool(entry.mode & 0o111)


def _diff(workspace: Workspace, path: str, before: Entry | None, after: Entry | None) -> str:
    """The difference as text, shortened; empty when one side is no text, or the original is not what it was."""
    old, new = _lines_of_original(workspace, path, before), _lines(os.path.join(workspace.folder, path), after)
    if old is None or new is None:
        return ""
    # Imported here: most runs compare nothing.
    from difflib import unified_diff

    text = "\n".join(line.rstrip("\n") for line in list(unified_diff(old, new, n=2, lineterm=""))[2:])
    return text if len(text) <= LONGEST_DIFF else f"{text[:LONGEST_DIFF]}\n… ({len(text):,} characters)"


def _lines_of_original(workspace: Workspace, path: str, before: Entry | None) -> list[str] | None:
    if before is not None and not is_still_original(workspace, path, before, original_entry(workspace, path)):
        return None
    return _lines(os.path.join(workspace.original, path), before)


def _lines(place: str, entry: Entry | None) -> list[str] | None:
    if entry is None:
        return []
    if entry.kind == "link":
        return [f"link to {entry.link}"]
    if entry.kind != "file" or entry.size > _LARGEST_COMPARED:
        return None
    try:
        lines = content_of(place, _LARGEST_COMPARED).decode().split("\n")
    except (OSError, CannotLook, UnicodeDecodeError):
        return None
    if lines[-1] == "":
        lines.pop()
    return lines if len(lines) <= _MOST_LINES_COMPARED and not any("\0" in line for line in lines) else None
