"""What lies below a folder, without following links and within limits."""

import os
import stat
from collections.abc import Iterator

from msgspec import Struct

from vivavoce.model.workspace import Entry

MOST_ENTRIES = 50_000
MOST_BYTES = 2**30


class Limits(Struct, frozen=True):
    """How large a workspace may be."""

    entries: int = MOST_ENTRIES
    size: int = MOST_BYTES


class Survey(Struct, frozen=True, kw_only=True):
    """The entries below a folder, by their path in it."""

    entries: dict[str, Entry]
    size: int
    """Bytes of all files."""
    too_large: str = ""
    """Which limit was reached, in words. The entries are then not all that there are."""


def survey(folder: str, limits: Limits) -> Survey:
    """Looks at everything below a folder. Raises OSError when the folder itself cannot be read."""
    entries: dict[str, Entry] = {}
    size = 0
    for path, found in _walk(folder):
        entries[path] = found
        size += found.size
        if len(entries) > limits.entries:
            return Survey(entries=entries, size=size, too_large=f"more than {limits.entries:,} files")
        if size > limits.size:
            return Survey(entries=entries, size=size, too_large=f"more than {in_bytes(limits.size)}")
    return Survey(entries=entries, size=size)


def in_bytes(size: int) -> str:
    """`312 bytes`, `1.5 MB`"""
    for unit, bytes_in in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if size >= bytes_in:
            return f"{size / bytes_in:.1f}".removesuffix(".0") + f" {unit}"
    return f"{size} bytes" if size != 1 else "1 byte"


def entry_at(path: str) -> Entry:
    """One entry, itself and not what it links to. Raises OSError when there is none."""
    return _entry(os.lstat(path), path)


def _walk(folder: str) -> Iterator[tuple[str, Entry]]:
    waiting = [("", sorted(os.listdir(folder)))]
    while waiting:
        base, names = waiting.pop()
        for name in names:
            path = f"{base}{name}"
            full = os.path.join(folder, path)
            try:
                found = entry_at(full)
                inside = sorted(os.listdir(full)) if found.kind == "folder" else None
            except FileNotFoundError:  # somebody is still at work there
                continue
            except OSError:
                yield path, Entry(kind="unreadable")
                continue
            yield path, found
            if inside is not None:
                waiting.append((f"{path}/", inside))


def _entry(status: os.stat_result, path: str) -> Entry:
    mode = status.st_mode
    is_file, is_link = stat.S_ISREG(mode), stat.S_ISLNK(mode)
    return Entry(
        kind="file" if is_file else "link" if is_link else "folder" if stat.S_ISDIR(mode) else "special",
        size=status.st_size if is_file else 0,
        mode=stat.S_IMODE(mode),
        mtime_ns=status.st_mtime_ns,
        ctime_ns=status.st_ctime_ns,
        link=os.readlink(path) if is_link else "",
    )
