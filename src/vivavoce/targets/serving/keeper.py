"""Starts a user's server and ends it, with everything it started, once nobody uses it any more.

A program of its own: `python keeper.py FOLDER STOP_SECONDS COMMAND…`. Who uses the server holds a shared lock on
`FOLDER/users`. The kernel takes that lock away from a process that dies in whatever way, so no server outlives its run.
The keeper is nobody's child: Ray kills the children of a worker that ends, and other workers may still use the server.
"""

import ctypes
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_CHECK_S = 0.05
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def main(folder: Path, stop_s: float, argv: list[str]) -> None:
    """Runs the server until its last user is gone. Whether it runs or how it ended is in `FOLDER/state`."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if os.fork():
        os._exit(0)
    _adopt_orphans()
    nobody_left = threading.Event()
    with (folder / "users").open() as users, (folder / "log").open("ab") as log:
        waiting = threading.Thread(target=_wait_for_users, args=(folder, users.fileno(), nobody_left), daemon=True)
        waiting.start()
        try:
            server = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_keeper,
            )
        except OSError as error:
            _write_state(folder, error=f"{argv[0]} cannot be started: {error.strerror}")
            nobody_left.wait()
        else:
            _write_state(folder, pid=server.pid)
            while not nobody_left.wait(_CHECK_S):
                if server.poll() is not None:
                    _write_state(folder, exit=server.returncode)
                    nobody_left.wait()
                    break
            _end(server, stop_s)
    folder.with_name(f"{folder.name}.lock").unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def _wait_for_users(folder: Path, lock: int, nobody_left: threading.Event) -> None:
    """Waits until nobody uses the server; where `FOLDER/run` is, also until nobody holds the lock that it is."""
    fcntl.flock(lock, fcntl.LOCK_EX)
    with suppress(FileNotFoundError), (folder / "run").open() as run:
        # Meanwhile others may come.
        fcntl.flock(lock, fcntl.LOCK_UN)
        fcntl.flock(run, fcntl.LOCK_EX)
        fcntl.flock(run, fcntl.LOCK_UN)
        fcntl.flock(lock, fcntl.LOCK_EX)
    nobody_left.set()


def _write_state(folder: Path, **state: object) -> None:
    """Replaces the state at once, so that nobody reads half of it."""
    (folder / "state.new").write_text(json.dumps(state))
    (folder / "state.new").rename(folder / "state")


def _end(server: "subprocess.Popen[bytes]", stop_s: float) -> None:
    """Asks the server and its children to end, waits, and kills those that are still there."""
    _signal_all(server, signal.SIGTERM)
    deadline = time.monotonic() + stop_s
    while time.monotonic() < deadline and (server.poll() is None or any(_children())):
        _reap()
        time.sleep(_CHECK_S)
    for _ in range(20):
        if server.poll() is not None and not any(_children()):
            break
        _signal_all(server, signal.SIGKILL)
        _reap()
        time.sleep(_CHECK_S)


def _signal_all(server: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(server.pid, number)
    for pid in list(_children()):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _reap() -> None:
    """Collects the exit codes of orphans that have ended, so that no zombie stays."""
    for pid in list(_children()):
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _children() -> Iterator[int]:
    """Every living process below this one, where /proc can tell."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # The name may hold blanks and brackets; what follows its last bracket does not.
            state, parent = entry.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(entry.parent.name)] = int(parent)
    below = {os.getpid()}
    while found := {pid for pid, parent in parents.items() if parent in below and pid not in below}:
        below |= found
        yield from found


def _adopt_orphans() -> None:
    """Processes whose own parent ended become children of this one, so that they can be found. Linux only."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_with_keeper() -> None:
    """Has the kernel kill the server when the keeper is killed. Linux only."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
