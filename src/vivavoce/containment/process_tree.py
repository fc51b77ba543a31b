"""Finds and ends every process that came from a command, also those that left its process group.

A process that began a session of its own (`setsid`, a daemon) is no longer in the group, and once its parent has ended
not in the tree either. But it inherits the environment, so each command gets a mark there. Only Linux shows both
(`/proc`); elsewhere only the group is ended.
"""

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "VIVA_COMMAND"
_PROC = Path("/proc")
_ROUNDS = 10
"""A process may start another one while the list is read."""


def new_mark() -> str:
    """The value of `VIVA_COMMAND` for one command."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def end_all_of(leader: int, mark: str) -> list[str]:
    """Kills the group of `leader` and all that came from it; returns `pid (name)` of those that cannot be killed."""
    for _ in range(_ROUNDS):
        # Before anything is killed: the children of a dead process are nobody's.
        found = _descendants(leader) | _marked(mark)
        _kill_group(leader)
        refused = {pid for pid in found if not _killed(pid)}
        if found == refused:
            return [f"{pid} ({_name(pid)})" for pid in sorted(refused)]
    return [f"{pid} ({_name(pid)})" for pid in sorted(_marked(mark))]


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _killed(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return True


def _descendants(leader: int) -> set[int]:
    """The living processes below one, by their parents."""
    children: dict[int, list[int]] = {}
    for pid in _processes():
        if (parent := _parent(pid)) is not None:
            children.setdefault(parent, []).append(pid)
    found, looked_at = set[int](), [leader]
    while looked_at:
        below = [pid for pid in children.get(looked_at.pop(), ()) if pid not in found]
        found.update(below)
        looked_at += below
    return found


def _marked(mark: str) -> set[int]:
    """The living processes with the mark in their environment."""
    wanted = f"{MARK}={mark}".encode()
    found = set[int]()
    for pid in _processes():
        with suppress(OSError):  # it has ended, or is somebody else's
            if wanted in (_PROC / str(pid) / "environ").read_bytes().split(b"\0") and _parent(pid) is not None:
                found.add(pid)
    return found


def _processes() -> Iterator[int]:
    with suppress(OSError):
        yield from (int(name) for name in os.listdir(_PROC) if name.isdecimal() and int(name) != os.getpid())


def _parent(pid: int) -> int | None:
    """The parent of a living process; None when it has ended, also when it only awaits its burial."""
    try:
        state, parent = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return None if state in "ZX" else int(parent)


def _name(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "comm").read_text().strip()
    except OSError:
        return "?"
