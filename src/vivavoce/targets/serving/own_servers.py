"""`serve: {per: attempt}`: a server for each attempt, on a free port of its own."""

import socket
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec import structs

from vivavoce.errors import CallFailed, UsageError, VivaError
from vivavoce.metering.expenses import counted_as_setup
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.declarations import PORT_VARIABLE
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import UndefinedVariable, interpolate
from vivavoce.protocols import AgentCard, CallContext, Surroundings, Target
from vivavoce.targets.serving.served_target import ServedSession
from vivavoce.targets.serving.server import MoreEnvironment, OwnPlace, Server
from vivavoce.targets.web_address import is_web_address

_REFERENCE = "${" + PORT_VARIABLE
_ports_in_use: set[int] = set()


class OwnServedTarget:
    """An agent of which every attempt has a server of its own."""

    def __init__(
        self,
        target: Target,
        fields: JsonObject,
        agent_url: str | None,
        surroundings: Surroundings,
        more_environment: MoreEnvironment | None = None,
    ) -> None:
        """Raises UsageError for fields that would lead every attempt to the same server."""
        self._target = target
        self._fields = fields
        self._agent_url = agent_url
        self._surroundings = surroundings
        self._more = more_environment
        refuse_shared_server(target.card.id, fields, agent_url)

    @property
    def card(self) -> AgentCard:
        return self._target.card

    @asynccontextmanager
    async def serving(self, variables: Mapping[str, JsonValue], workspace: str | None) -> AsyncGenerator["OwnServer"]:
        """Starts a server and yields it; ends it afterwards. Raises CallFailed when it does not come up."""
        port = _free_port()
        known = {**self._surroundings.project.config.variables, **variables, PORT_VARIABLE: str(port)}
        environment = {PORT_VARIABLE: str(port)} | ({} if workspace is None else {"VIVA_WORKSPACE": workspace})
        own = OwnPlace(id=uuid.uuid4().hex, variables=known, environment=environment, workspace=workspace)
        url = _filled(self._agent_url, known, self._surroundings.secrets)
        try:
            server = Server(self.card.id, self._fields, url, self._surroundings, self._more, own=own)
            try:
                with counted_as_setup():
                    await server.up()
                yield OwnServer(self._target, server, {PORT_VARIABLE: str(port)})
            except VivaError as problem:
                if isinstance(problem, CallFailed | UsageError):
                    raise
                raise CallFailed(problem.what, fault="target", hint=problem.hint) from None
            finally:
                await server.down()
        finally:
            _ports_in_use.discard(port)

    async def open(self, context: CallContext) -> "OwnServedSession":
        """For conversations outside a case, as of `viva chat`: the server ends with the session."""
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(self.serving(context.variables, context.workspace))
            session = await server.open(context)
            return OwnServedSession(session, stack.pop_all())

    async def close(self) -> None:
        await self._target.close()


class OwnServer:
    """The running server of one attempt, and the way to the agent behind it."""

    def __init__(self, target: Target, server: Server, variables: JsonObject) -> None:
        self._target = target
        self._server = server
        self.variables = variables
        """What it adds to the variables of its attempt."""

    async def open(self, context: CallContext) -> ServedSession:
        context = structs.replace(context, variables={**context.variables, **self.variables})
        return ServedSession(await self._target.open(context), self._server)

    def log(self) -> str:
        return self._server.log()


class OwnServedSession:
    """A conversation whose server ends with it."""

    def __init__(self, session: ServedSession, stack: AsyncExitStack) -> None:
        self._session: ServedSession = session
        self._stack = stack

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        return await self._session.send(line, transcript)

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke."""
        return self._session.so_far()

    async def close(self) -> None:
        async with self._stack:
            await self._session.close()


def refuse_shared_server(agent: str, fields: JsonObject, agent_url: str | None) -> None:
    """Raises UsageError for fields of `serve` that cannot hold for several servers at once."""
    label = f"agent {agent!r}: serve has `per: attempt`"
    if fields.get("reuse"):
        raise UsageError(f"{label} and `reuse: true`", hint="leave one out: each attempt starts a server of its own")
    ready: JsonValue = fields.get("ready")
    fixed = isinstance(ready, int) or str(ready).isdecimal() or (is_web_address(str(ready)) and _REFERENCE not in ready)
    if fixed:
        hint = "write ready: ${PORT}, or http://127.0.0.1:${PORT}/"
        raise UsageError(f"{label}, but `ready: {ready}` names one port for all of them", hint=hint)
    if agent_url is not None and _REFERENCE not in agent_url:
        hint = "write http://127.0.0.1:${PORT}/…; the server finds its port in ${PORT} and in $PORT"
        raise UsageError(f"{label}, but its address {agent_url} is the same for all of them", hint=hint)


def _filled(url: str | None, variables: Mapping[str, JsonValue], secrets: Secrets) -> str | None:
    """Returns the agent's address; None when a hook has yet to define a part of it."""
    try:
        return None if url is None else interpolate(url, variables, secrets)
    except UndefinedVariable:
        return None


def _free_port() -> int:
    """Returns a port on which nobody listens and that no other attempt of this process was given."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port not in _ports_in_use:
            _ports_in_use.add(port)
            return port
