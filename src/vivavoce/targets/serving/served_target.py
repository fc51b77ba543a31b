"""An agent whose server viva starts: it is up before the first line, and an error says whether it has died."""

from msgspec import structs

from vivavoce.errors import CallFailed, VivaError
from vivavoce.metering.expenses import counted_as_setup
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import AgentCard, CallContext, Partial, Session, Target
from vivavoce.targets.serving.server import Server


class ServedTarget:
    """The target, and the server behind it."""

    def __init__(self, target: Target, server: Server) -> None:
        self._target = target
        self.server = server

    @property
    def card(self) -> AgentCard:
        return self._target.card

    async def open(self, context: CallContext) -> "ServedSession":
        try:
            with counted_as_setup():
                await self.server.up()
        except VivaError as problem:
            raise CallFailed(problem.what, fault="target", hint=problem.hint) from None
        return ServedSession(await self._target.open(context), self.server)

    async def close(self) -> None:
        try:
            await self._target.close()
        finally:
            await self.server.down()


class ServedSession:
    """Says of a line that got no answer whether the server had died."""

    def __init__(self, session: Session, server: Server) -> None:
        self._session = session
        self._server = server

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        try:
            reply = await self._session.send(line, transcript)
        except CallFailed as failure:
            died = await self._server.problem() if failure.fault == "target" else None
            if died is None:
                raise
            raise CallFailed(f"{failure.what}; {died}", fault="target") from None
        if reply.error is not None and (died := await self._server.problem()) is not None:
            return structs.replace(reply, error=f"{reply.error}; {died}")
        return reply

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke."""
        return self._session.so_far() if isinstance(self._session, Partial) else AgentReply()

    async def close(self) -> None:
        await self._session.close()
