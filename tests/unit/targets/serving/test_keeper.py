"""The program that keeps a user's server: it ends it with everything it started, once nobody holds the lock."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from vivavoce.targets.serving import keeper

pytestmark = pytest.mark.process
SLEEPS = "import time; time.sleep(600)"
HAS_A_CHILD = f"""
import subprocess, sys
print(subprocess.Popen([sys.executable, "-c", {SLEEPS!r}]).pid, flush=True)
{SLEEPS}
"""


@contextmanager
def kept(folder: Path, code: str, program: str = sys.executable) -> Iterator[None]:
    """A keeper with one user, who holds the lock inside the context. Ends once the keeper has removed its folder."""
    folder.mkdir()
    with (folder / "users").open("w") as users:
        fcntl.flock(users, fcntl.LOCK_SH)
        start(folder, program, "-c", code)
        try:
            yield
        finally:
            users.close()
            while folder.exists():
                time.sleep(0.02)


def start(folder: Path, *command: str) -> None:
    """Starts a keeper, and returns once the process that started it has left."""
    subprocess.run([sys.executable, keeper.__file__, str(folder), "0.2", *command], check=True, timeout=60)


def state_with(folder: Path, name: str) -> Any:
    """The state once it has this entry."""
    while True:
        path = folder / "state"
        if path.exists() and name in (state := json.loads(path.read_text())):
            return state[name]
        time.sleep(0.02)


def lives(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:  # also when it ends while it is read
        return False


def test_the_server_and_its_children_end_with_the_last_user(tmp_path: Path):
    folder = tmp_path / "k"
    with kept(folder, HAS_A_CHILD):
        server = state_with(folder, "pid")
        while not (log := (folder / "log").read_text().strip()):
            time.sleep(0.02)
        assert lives(server)
        assert lives(int(log))
    assert not lives(server)
    assert not lives(int(log))
    assert not folder.exists()


def test_a_server_that_does_not_listen_to_its_end_is_killed(tmp_path: Path):
    folder = tmp_path / "k"
    deaf = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); {SLEEPS}"
    with kept(folder, deaf):
        server = state_with(folder, "pid")
        while "deaf" not in (folder / "log").read_text():
            time.sleep(0.02)
    assert not lives(server)


def test_a_server_that_ended_by_itself_says_how(tmp_path: Path):
    folder = tmp_path / "k"
    with kept(folder, "import sys; sys.exit(7)"):
        assert state_with(folder, "exit") == 7


def test_a_program_that_cannot_be_started_is_named(tmp_path: Path):
    folder = tmp_path / "k"
    with kept(folder, "", program="/no/such/program"):
        assert "/no/such/program cannot be started" in state_with(folder, "error")


def test_a_server_does_not_outlive_a_keeper_that_is_killed(tmp_path: Path):
    folder = tmp_path / "k"
    folder.mkdir()
    with (folder / "users").open("w") as users:
        fcntl.flock(users, fcntl.LOCK_SH)
        start(folder, sys.executable, "-c", SLEEPS)
        server = state_with(folder, "pid")
        os.kill(parent(server), signal.SIGKILL)
        while lives(server):
            time.sleep(0.02)


def test_a_keeper_is_no_child_of_the_process_that_started_it(tmp_path: Path):
    """Ray kills the children of a worker that ends: the keeper would never end the children of its server."""
    folder = tmp_path / "k"
    with kept(folder, SLEEPS):
        assert parent(parent(state_with(folder, "pid"))) != os.getpid()


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
