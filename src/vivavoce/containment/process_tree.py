"""Finds and ends every process that came from a command, also those that left its process group.

A process that began a session of its own (`setsid`, a daemon) is no longer in the group, and once its parent has ended
not in the tree either. But it inherits the environment, so each command gets a mark there. One that threw its
environment away as well is only named, by what it has in common with the command. Only Linux shows all this (`/proc`);
elsewhere only the group is ended.
"""

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from vivavoce.containment.guard_process import RUN, run_of_commands

MARK = "VIVA_COMMAND"
_PROC = Path("/proc")
_ROUNDS = 10
"""A process may start another one while the list is read."""
_MOST_LISTINGS = 1000
_NAMES = (f"{MARK}=".encode(), f"{RUN}=".encode())
"""The beginnings of the variables that say where a process came from."""
_ADOPTING = ("systemd", "init", "tini", "dumb-init")
"""Programs that become the parent of processes whose own parent has ended, besides process 1."""


class Facts(NamedTuple):
    """What a process and one that came from it have in common."""

    began: int
    folder: str
    outputs: frozenset[str]
    """The pipes that it writes to."""


def new_mark() -> str:
    """The value of `VIVA_COMMAND` for one command. It begins with the name of its run."""
    return f"{run_of_commands() or os.getpid()}-{secrets.token_hex(8)}"


def end_all_of(leader: int, mark: str) -> list[str]:
    """Kills the group of `leader` and all that came from it; returns `pid (name)` of those that were not killed."""
    facts = _facts(leader)
    left = _killed_all(leader, _variable(MARK, mark))
    return [*map(_described, left), *_likely(facts)]


def end_marked(mark: str, first: Facts | None = None) -> list[str]:
    """The same for processes that are known by their mark alone; `first`: what `first_marked` said while they ran."""
    return [*map(_described, _killed_all(None, _variable(MARK, mark))), *_likely(first)]


def first_marked(mark: str) -> Facts | None:
    """What is known of the oldest living process with this mark."""
    found = [facts for pid in _marked((_variable(MARK, mark),)) if (facts := _facts(pid)) is not None]
    return min(found, default=None, key=lambda facts: facts.began)


def _likely(command: Facts | None) -> list[str]:
    return [] if command is None else [f"{one} by the looks of it" for one in map(_described, _suspects(command))]


def end_run(run: str) -> list[str]:
    """The same for all processes of a run that is over: those of its commands, and those that its own code started."""
    return [*map(_described, _killed_all(None, _variable(MARK, f"{run}-"), _variable(RUN, run)))]


def _variable(name: str, value: str) -> bytes:
    return f"{name}={value}".encode()


def _killed_all(leader: int | None, *marks: bytes) -> list[int]:
    """Kills them until none is found any more; returns those that cannot be killed."""
    refused = set[int]()
    for _ in range(_ROUNDS):
        # Before anything is killed: the children of a dead process are nobody's.
        found = set[int]() if leader is None else _descendants(leader)
        if leader is not None:
            _kill_group(leader)
        refused = {pid for pid in found if not _killed(pid)}
        for pid in _marked(marks):
            # At once: a process that starts itself anew all the time is gone when the list is complete.
            found.add(pid)
            if not _killed(pid):
                refused.add(pid)
        if found == refused:
            return sorted(refused)
    return sorted(refused)


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


def _marked(marks: tuple[bytes, ...]) -> Iterator[int]:
    """Yields the living processes with one of the marks in their environment, also those that start meanwhile."""
    for pid in _all_processes():
        if any(one.startswith(marks) for one in _environment(pid)) and _parent(pid) is not None:
            yield pid


def _all_processes() -> Iterator[int]:
    seen = set[int]()
    for _ in range(_MOST_LISTINGS):
        new = [pid for pid in _processes() if pid not in seen]
        if not new:
            return
        seen.update(new)
        yield from new


def _suspects(command: Facts) -> Iterator[int]:
    """Yields the orphans that began after a command, hide their origin, and work in its folder or hold its pipes.

    One that has the name of a run, but no mark, was started by that run's own code, and ends with the run.
    """
    for pid in _processes():
        facts = _facts(pid)
        if facts is None or facts.began < command.began or not _is_orphan(pid):
            continue
        if facts.folder != command.folder and facts.outputs.isdisjoint(command.outputs):
            continue
        if not any(variable.startswith(_NAMES) for variable in _environment(pid)):
            yield pid


def _facts(pid: int) -> Facts | None:
    """None where /proc does not say, and for a process that has ended."""
    if _parent(pid) is None:
        return None
    try:
        began = int((_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[19])
        folder = os.readlink(_PROC / str(pid) / "cwd")
    except (OSError, ValueError, IndexError):
        return None
    outputs = set[str]()
    for number in (1, 2):
        with suppress(OSError):
            outputs.add(os.readlink(_PROC / str(pid) / "fd" / str(number)))
    return Facts(began, folder, frozenset(name for name in outputs if name.startswith("pipe:")))


def _is_orphan(pid: int) -> bool:
    parent = _parent(pid)
    return parent == 1 or (parent is not None and _name(parent) in _ADOPTING)


def _environment(pid: int) -> list[bytes]:
    try:
        return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:  # it has ended, or is somebody else's
        return []


def _processes() -> Iterator[int]:
    with suppress(OSError):
        yield from (int(name) for name in os.listdir(_PROC) if name.isdecimal() and int(name) != os.getpid())


def _parent(pid: int) -> int | None:
    """The parent of a living process; None when it has ended, also while its exit code is not fetched yet."""
    try:
        state, parent = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return None if state in "ZX" else int(parent)


def _described(pid: int) -> str:
    return f"{pid} ({_name(pid)})"


def _name(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "comm").read_text().strip()
    except OSError:
        return "?"
