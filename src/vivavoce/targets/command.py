"""A program as the agent under test: JSON on stdin, JSON or text on stdout."""

import asyncio
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, structs

from vivavoce.containment.captured_output import current_log
from vivavoce.containment.processes import Printed, TooMuchOutput, run_command
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import is_array
from vivavoce.model.message import AgentReply, Unread
from vivavoce.model.transcript import Line, Transcript
from vivavoce.notation.hidden_calls import unread
from vivavoce.plugins.declarations import AgentFields, TargetKind, always
from vivavoce.project.programs import require_program
from vivavoce.project.project import Project
from vivavoce.project.variables import UndefinedVariable, interpolate, interpolate_deep
from vivavoce.protocols import AgentCard, CallContext, Session, Surroundings, TargetSpec
from vivavoce.targets.call_payload import CallPayload
from vivavoce.targets.command_output import read_output
from vivavoce.workspaces.program_arguments import still_meant

_CUT_OFF = Unread("a background process kept stdout open; what it printed later was not read", "stdout")


class CommandFields(AgentFields, frozen=True, kw_only=True):
    """A program that is started for each line."""

    cmd: Annotated[list[str] | str, Meta(description="The program and its arguments.")]
    cwd: Annotated[str | None, Meta(description="Where it is started, from the project's folder.")] = None
    env: Annotated[dict[str, str], Meta(description="Added to its environment.")] = {}


class CommandTarget:
    """`cmd: [program, argument, …]`, started anew for each line, in the project's folder."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        self._argv = _argv(spec)
        self._env: dict[str, str] = spec.config.get("env", {})
        self._cwd = str(spec.config.get("cwd") or ".")
        self._surroundings = surroundings
        self.card = AgentCard(
            id=spec.id, kind="cmd", description=spec.config.get("description") or "", where=shlex.join(self._argv)
        )

    async def open(self, context: CallContext) -> Session:
        project, secrets = self._surroundings.project, self._surroundings.secrets
        try:
            argv: list[str] = interpolate_deep(self._argv, context.variables, secrets)
            env: dict[str, str] = interpolate_deep(self._env, context.variables, secrets)
            cwd = project.root / interpolate(self._cwd, context.variables, secrets)
        except UndefinedVariable as undefined:
            raise UsageError(f"agent {self.card.id!r}: {undefined}", at=str(project.config_path or "")) from None
        if context.workspace is not None:
            argv = [still_meant(part, cwd) for part in argv]
            cwd, env = Path(context.workspace), {**env, "VIVA_WORKSPACE": context.workspace}
        return CommandSession(argv, str(cwd), env, context)

    async def close(self) -> None: ...


class CommandSession:
    def __init__(self, argv: list[str], cwd: str, env: Mapping[str, str], context: CallContext) -> None:
        self._argv = argv
        self._cwd = cwd
        self._env = env
        """As the agent's entry says; it wins over what watchers give."""
        self._provisions = context.provisions
        self._payload = CallPayload(context)
        self._printed = Printed()
        """What a program that failed or took too long had printed."""

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        request = {
            "messages": self._payload.messages(line, transcript),
            "context": self._payload.context(line, transcript),
        }
        program = self._argv[0]
        printed = self._printed = Printed()
        stdin = msgspec.json.encode(request) + b"\n"
        try:
            env = self._environment()
            done = await run_command(self._argv, cwd=self._cwd, env=env, stdin=stdin, printed=printed)
        except asyncio.CancelledError:
            _keep(printed.stderr.decode(errors="replace"))
            raise
        except OSError as error:
            where = f" ({error.filename})" if error.filename not in (None, program) else ""
            raise CallFailed(f"{program} cannot be started: {error.strerror}{where}", fault="target") from None
        except TooMuchOutput as flood:
            raise CallFailed(f"{program} was stopped: {flood}", fault="agent") from None
        stderr = done.stderr.decode(errors="replace")
        if done.exit_code != 0:
            _keep(stderr)
            said = f": {done.last_words}" if done.last_words else ""
            raise CallFailed(f"{program} failed: {done.how}{said}", fault="agent")
        try:
            reply = structs.replace(read_output(done.stdout, line.text), logs=stderr)
        except CallFailed:
            _keep(stderr)
            raise
        return structs.replace(reply, unread=(*reply.unread, _CUT_OFF)) if done.cut_off else reply

    def _environment(self) -> dict[str, str]:
        given = {} if self._provisions is None else self._provisions.environment
        return {**os.environ, **given, **self._env}

    def so_far(self) -> AgentReply:
        """What a program said before it failed or was stopped."""
        stdout = self._printed.stdout
        if not stdout.strip():
            return AgentReply()
        try:
            return read_output(stdout, "")
        except CallFailed:
            return AgentReply(unread=(unread(stdout.decode(errors="replace"), "stdout"),))

    async def close(self) -> None: ...


def _argv(spec: TargetSpec) -> list[str]:
    command: Any = spec.config["cmd"]
    try:
        argv = [str(part) for part in command] if is_array(command) else shlex.split(str(command))
    except ValueError as error:
        raise UsageError(f"agent {spec.id!r}: bad command {command!r}: {error}") from None
    if not argv or not argv[0]:
        raise UsageError(f"agent {spec.id!r} has an empty command", hint="write cmd: [program, argument]")
    return argv


def _keep(stderr: str) -> None:
    if (log := current_log()) is not None:
        log.write(stderr)


def _require_program(spec: TargetSpec, project: Project) -> None:
    steps = ("agents", spec.id, "cmd") if spec.id in project.config.agents else ()
    require_program(f"agent {spec.id!r}", spec.config, project, steps)


COMMAND = TargetKind(
    name="cmd",
    target=CommandTarget,
    fields=CommandFields,
    check_needs=_require_program,
    takes_workspace=always,
    runs="started",
    # A program may change something, and would do so again.
    may_repeat=False,
)
