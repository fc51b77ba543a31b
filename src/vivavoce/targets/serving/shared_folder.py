"""The folder through which all processes of one run on one machine share a server."""

import asyncio
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_object

_POLL_S = 0.05
_MOST_ENDING_S = 10.0
_MOST_OF_LOG = 2**20
_token = uuid.uuid4().hex


def share_servers(token: str) -> None:
    """Makes this process share servers with every other that was given the same token."""
    global _token
    _token = token


def share_token() -> str:
    """The token to give to other processes of the same run."""
    return _token


def hold_servers(token: str) -> IO[str]:
    """Until the returned file is closed, the servers of a run stay although their users have ended."""
    file = _run_lock(token).open("w")
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def let_go_of_servers(held: IO[str]) -> None:
    """Their keepers, which have the lock by a link of their own, end them; waits for that."""
    lock = Path(held.name)
    lock.unlink(missing_ok=True)
    held.close()
    deadline = time.monotonic() + _MOST_ENDING_S
    while any(lock.parent.glob(f"{lock.stem}-*/state")) and time.monotonic() < deadline:
        time.sleep(_POLL_S)


class SharedFolder:
    """Locks, log and state of one server. The server lives as long as some process holds this folder."""

    def __init__(self, what: JsonValue) -> None:
        """`what`: all that makes it this server and no other."""
        digest = hashlib.sha256(compact_json(what).encode()).hexdigest()[:16]
        home = _home()
        self.path = home / f"{_token[:32]}-{digest}"
        self._lock_path = home / f"{_token[:32]}-{digest}.lock"
        self._users: IO[str] | None = None

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[None]:
        """While one process is in here, the others wait."""
        while True:
            with self._lock_path.open("w") as lock:
                if _locked(lock, fcntl.LOCK_EX) and _is_at(lock, self._lock_path):
                    yield
                    return
            await asyncio.sleep(_POLL_S)

    async def hold(self) -> None:
        """Becomes one of the users. Waits while a keeper ends the server of earlier ones."""
        while self._users is None:
            with suppress(FileNotFoundError):
                self.path.mkdir(mode=0o700, exist_ok=True)
                users = (self.path / "users").open("a")
                if _locked(users, fcntl.LOCK_SH) and _is_at(users, self.path / "users"):
                    self._users = users
                    return
                users.close()
            await asyncio.sleep(_POLL_S)

    def release(self) -> bool:
        """Ceases to be one of the users; True when that was the last one."""
        users, self._users = self._users, None
        if users is None:
            return False
        was_last = _locked(users, fcntl.LOCK_EX) and not self._is_held()
        users.close()
        if was_last:
            self._lock_path.unlink(missing_ok=True)
        return was_last

    def discard(self) -> None:
        """Removes a folder in which no server was started."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()

    @property
    def was_ready(self) -> bool:
        """Whether a server was started here and became ready."""
        return (self.path / "ready").exists()

    def mark_ready(self, *, for_run: bool = False) -> None:
        """`for_run`: it stays as long as somebody holds the servers of the run."""
        (self.path / "ready").touch()
        if for_run and (lock := _run_lock(_token)).exists():
            os.link(lock, self.path / "run")

    def _is_held(self) -> bool:
        with suppress(FileNotFoundError), (self.path / "run").open() as run:
            return not _locked(run, fcntl.LOCK_EX)
        return False

    def state(self) -> JsonObject:
        """`pid` while the server runs, `exit` or `error` when it does not; empty before that."""
        with suppress(OSError, ValueError):
            value: JsonValue = msgspec.json.decode((self.path / "state").read_bytes())
            return value if is_object(value) else {}
        return {}

    def log(self) -> str:
        """What the server printed; the end of it when it is a lot."""
        with suppress(OSError), (self.path / "log").open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _MOST_OF_LOG))
            return file.read().decode(errors="replace")
        return ""


def _home() -> Path:
    home = Path(tempfile.gettempdir()) / f"viva-serve-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    return home


def _run_lock(token: str) -> Path:
    return _home() / f"{token[:32]}.run"


def _is_at(file: IO[str], path: Path) -> bool:
    """Whether an open file is still the one at its path: the last process that used it removes it."""
    try:
        return os.fstat(file.fileno()).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False


def _locked(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file.fileno(), how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
