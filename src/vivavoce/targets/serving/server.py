"""The user's own server, started before an agent is first called and ended after the run."""

import asyncio
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from vivavoce.containment.guard_process import RUN
from vivavoce.containment.processes import describe_exit
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.json_value import JsonObject, JsonValue, is_array
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.notation.patterns import compile_pattern
from vivavoce.project.variables import UndefinedVariable, interpolate_deep
from vivavoce.protocols import Surroundings
from vivavoce.targets.serving.readiness import Readiness
from vivavoce.targets.serving.shared_folder import SharedFolder
from vivavoce.targets.web_address import is_web_address
from vivavoce.workspaces.program_arguments import still_meant

_KEEPER = Path(__file__).with_name("keeper.py")
_POLL_S = 0.1
_MOST_LINES = 20
_GRACE_S = 3.0
_NOTICED_S = 0.3
_PATIENCE_S = 2.0
"""After this time stderr says what viva waits for."""


MoreEnvironment: TypeAlias = Callable[[], Awaitable[Mapping[str, str]]]


class OwnPlace(Struct, frozen=True, kw_only=True):
    """What the server of one attempt shares with no other."""

    id: str
    variables: Mapping[str, JsonValue]
    """The values of `${NAME}` in `serve`, its port among them."""
    environment: dict[str, str]
    workspace: str | None = None
    """The folder it is started in, in place of its `cwd`."""


class Server:
    """`serve: {cmd, ready, cwd, env, stop, timeout, reuse}` of one agent."""

    def __init__(
        self,
        agent: str,
        fields: JsonObject,
        agent_url: str | None,
        surroundings: Surroundings,
        more_environment: MoreEnvironment | None = None,
        *,
        own: "OwnPlace | None" = None,
    ) -> None:
        """`more_environment` returns variables that the server gets besides; `own` is what a server of one attempt has
        for itself. Raises UsageError for bad fields.
        """
        self._agent = agent
        self._secrets = surroundings.secrets
        self._root = surroundings.project.root
        filled = self._filled(fields, surroundings.project.config.variables if own is None else own.variables)
        self._argv = _argv(agent, filled.get("cmd"))
        self._cwd = self._root / str(filled.get("cwd") or ".")
        self._env: dict[str, str] = filled.get("env") or {}
        self._more_environment = more_environment
        self._reuse = bool(filled.get("reuse"))
        self._timeout_s = self._duration(filled, "timeout", "60s")
        self._stop_s = self._duration(filled, "stop", "5s")
        self._readiness = Readiness(self._sign(filled.get("ready")), agent_url, surroundings.http)
        self._folder = SharedFolder([str(self._root), filled, None if own is None else own.id])
        self._is_of_run = own is None
        if own is not None:
            self._env = {**own.environment, **self._env}
            if own.workspace is not None:
                self._argv = [still_meant(part, self._cwd) for part in self._argv]
                self._cwd = Path(own.workspace)
        self._starting: asyncio.Task[None] | None = None
        self._keeper: subprocess.Popen[bytes] | None = None
        self._is_ours = False

    async def up(self) -> None:
        """Returns once the server is ready; the first to ask starts it. Raises VivaError when it does not come up."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start(), name=f"server of {self._agent}")
        await asyncio.shield(self._starting)

    @property
    def folder(self) -> Path:
        """Where its log and state are as long as it runs."""
        return self._folder.path

    def log(self) -> str:
        """What the server printed so far, without secrets."""
        return self._secrets.mask(self._folder.log())

    async def problem(self) -> str | None:
        """What became of a server that ended although nobody asked it to, with its log; None for one that runs.

        To be asked when a call failed: a connection breaks a moment before the end of its server can be seen.
        """
        deadline = time.monotonic() + _NOTICED_S
        while self._is_ours:
            if ended := self._ended():
                return ended
            pid = self._folder.state().get("pid")
            if time.monotonic() > (deadline + _GRACE_S if _has_ended(pid) else deadline):
                break
            await asyncio.sleep(_POLL_S / 2)
        return None

    def _ended(self) -> str | None:
        """The end of the server with its log; None as long as it runs."""
        state = self._folder.state()
        if "exit" not in state:
            return None
        return f"the server of agent {self._agent!r} ended ({describe_exit(state['exit'])}){self._log()}"

    async def down(self) -> None:
        """Lets go of the server, which ends with its last user. Asking twice does no harm."""
        starting, self._starting = self._starting, None
        if starting is not None and not starting.done():
            starting.cancel()
            await asyncio.wait([starting])
        await self._let_go()

    async def _let_go(self) -> None:
        was_last = self._folder.release()
        keeper, self._keeper = self._keeper, None
        if was_last and (self._is_ours or keeper is not None):
            await asyncio.to_thread(_wait_until_gone, self._folder.path, self._stop_s + _GRACE_S)
        if keeper is not None:
            # Only the process that started it: the keeper has left it long ago, and goes on for other users.
            await asyncio.to_thread(_wait_for, keeper, _GRACE_S)
        self._is_ours = False

    async def _start(self) -> None:
        async with self._folder.alone():
            await self._folder.hold()
            if self._folder.was_ready:
                # A server is started once in a run, also when it has ended since.
                if ended := self._ended():
                    self._folder.release()
                    raise VivaError(ended)
                self._is_ours = True
                return
            if await self._readiness.is_taken():
                self._folder.discard()
                if self._reuse:
                    return
                raise VivaError(
                    f"agent {self._agent!r}: port {self._readiness.port} is already taken by another server",
                    hint="stop it, or write `reuse: true` under `serve` to use it",
                )
            if not self._cwd.is_dir():
                self._folder.discard()
                raise UsageError(f"agent {self._agent!r}: serve: no such folder: {self._cwd}")
            more: Mapping[str, str] = {}
            if self._more_environment is not None:
                more = await self._more_environment()
            try:
                self._keeper = self._kept(more)
                await self._wait_until_ready()
            except VivaError:
                await self._let_go()
                raise
            self._is_ours = True
            self._folder.mark_ready(for_run=self._is_of_run)

    def _kept(self, more_environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        environment = {"PYTHONUNBUFFERED": "1", **os.environ, **more_environment, **self._env}
        # Other runs may use the server after this one: its keeper ends it.
        environment.pop(RUN, None)
        return subprocess.Popen(
            [sys.executable, "-I", str(_KEEPER), str(self._folder.path), str(self._stop_s), *self._argv],
            cwd=self._cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    async def _wait_until_ready(self) -> None:
        started, warned = time.monotonic(), False
        while True:
            state = self._folder.state()
            if told := state.get("error"):
                raise self._not_up(str(told))
            if "exit" in state:
                raise self._not_up(f"it ended before it was ready ({describe_exit(state['exit'])})")
            if await self._readiness.is_ready(self._folder.log):
                return
            waited_s = time.monotonic() - started
            if waited_s > self._timeout_s:
                raise self._not_up(f"{self._readiness} after {format_duration(self._timeout_s)}")
            if waited_s > _PATIENCE_S and not warned:
                warned = True
                self._warn_of_slow_start()
            await asyncio.sleep(_POLL_S)

    def _warn_of_slow_start(self) -> None:
        most = format_duration(self._timeout_s)
        what = f"waiting up to {most} for the server of agent {self._agent!r}: so far {self._readiness}"
        print(f"viva: {self._secrets.mask(what)}", file=sys.stderr)

    def _not_up(self, why: str) -> VivaError:
        command = self._secrets.mask(shlex.join(self._argv))
        what = f"the server of agent {self._agent!r} ({command}) did not come up: {why}{self._log()}"
        return VivaError(what)

    def _log(self) -> str:
        lines = self.log().rstrip().splitlines()
        if not lines:
            return "; it printed nothing"
        told = "\n".join(f"  | {line}" for line in lines[-_MOST_LINES:])
        return f"; the end of its log:\n{told}"

    def _filled(self, fields: JsonObject, variables: Mapping[str, JsonValue]) -> JsonObject:
        try:
            return interpolate_deep(fields, variables, self._secrets)
        except UndefinedVariable as undefined:
            raise UsageError(f"agent {self._agent!r}: serve: {undefined}") from None

    def _duration(self, fields: JsonObject, name: str, default: str) -> float:
        try:
            return parse_duration(str(fields.get(name) or default))
        except ValueError as error:
            raise UsageError(f"agent {self._agent!r}: serve.{name}: {error}") from None

    def _sign(self, ready: JsonValue) -> str | int:
        """`8000`, `"8000"`, a URL or a pattern."""
        if isinstance(ready, int) or str(ready).isdecimal():
            if not 0 < int(ready) < 65536:
                raise UsageError(f"agent {self._agent!r}: serve.ready: no port: {ready}")
            return int(ready)
        if not is_web_address(str(ready)):
            try:
                compile_pattern(str(ready))
            except ValueError as error:
                raise UsageError(f"agent {self._agent!r}: serve.ready: {error}") from None
        return str(ready)


def _argv(agent: str, command: JsonValue) -> list[str]:
    try:
        argv = [str(part) for part in command] if is_array(command) else shlex.split(str(command or ""))
    except ValueError as error:
        raise UsageError(f"agent {agent!r}: serve.cmd: {error}") from None
    if not argv or not argv[0]:
        raise UsageError(f"agent {agent!r}: serve.cmd is empty", hint="write cmd: [program, argument]")
    return argv


def _has_ended(pid: JsonValue) -> bool:
    """Whether a process is gone, or only waits for its parent to notice that it is."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return sys.platform == "linux"


def _wait_until_gone(folder: Path, seconds: float) -> None:
    """The keeper removes the folder when all is over."""
    deadline = time.monotonic() + seconds
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(_POLL_S / 2)


def _wait_for(keeper: "subprocess.Popen[bytes]", seconds: float) -> None:
    try:
        keeper.wait(seconds)
    except subprocess.TimeoutExpired:
        keeper.kill()
        keeper.wait()
