"""Whether a process is really gone."""

import asyncio
import os
from pathlib import Path


async def gone(pid: int) -> bool:
    """Waits a while for a process to end; one that only awaits its burial has ended."""
    for _ in range(3000):
        if (stat := _stat(pid)) is None or stat[0] == "Z":
            return True
        await asyncio.sleep(0.02)
    return False


async def number_in(file: Path) -> int:
    """The process id a script writes into a file, once it is there."""
    while not file.exists() or not file.read_text().strip():
        await asyncio.sleep(0.01)
    return int(file.read_text())


def children_of(pid: int) -> list[int]:
    """The processes below one that belong to its session."""
    stats = {one: stat for one in _processes() if (stat := _stat(one)) is not None}
    return [one for one, (_, parent, _, session, *_) in stats.items() if (parent, session) == (str(pid), stats[pid][3])]


async def nobody_in(folder: Path) -> bool:
    """Waits a while until no process works in a folder any more."""
    for _ in range(3000):
        if str(folder) not in map(_folder_of, _processes()):
            return True
        await asyncio.sleep(0.02)
    return False


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def _stat(pid: int) -> list[str] | None:
    """State, parent, group, session and so on; None for a process that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def _folder_of(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""
