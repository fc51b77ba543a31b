"""A folder that an agent works in, and what it looked like afterwards. Plain data."""

from typing import Literal

from msgspec import Struct

EntryKind = Literal["file", "folder", "link", "special", "unreadable"]


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """One file, folder or link below a folder."""

    kind: EntryKind
    size: int = 0
    mode: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    digest: str = ""
    """Of a file's content, where it was read."""
    link: str = ""
    """Where a link leads."""


class Workspace(Struct, frozen=True, kw_only=True):
    """The copy of a folder that one attempt works in."""

    folder: str
    """The copy: an absolute path without links."""
    original: str
    name: str
    """The original as the case names it."""
    before: dict[str, Entry] = {}
    """What was copied, by path: the original as it was then."""


class FileChange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one file changed."""

    path: str
    change: Literal["added", "removed", "changed"]
    size: int | None = None
    """Bytes afterwards; None if it is gone or not a file."""
    size_before: int | None = None
    diff: str = ""
    """The difference, shortened; empty for binary files."""
    executable: bool | None = None
    """Whether it is executable now; None if that did not change."""


class WorkspaceAfter(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an attempt left in its workspace, short enough for a result row."""

    source: str
    """The original folder as the case names it."""
    files: tuple[str, ...] = ()
    """The paths that exist afterwards: the first of them."""
    more_files: int = 0
    """How many files are not listed in `files`."""
    changes: tuple[FileChange, ...] = ()
    more_changes: int = 0
    outside: tuple[str, ...] = ()
    """What changed outside the copy: in the original folder, or beside the copy."""
    kept_at: str | None = None
    """Where the copy is, when it was kept."""
