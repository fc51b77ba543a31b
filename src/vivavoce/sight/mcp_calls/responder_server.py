"""The loopback server of a run: `viva mcp-mock` asks it for answers."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from vivavoce.errors import VivaError
from vivavoce.net.server_log import server_log
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.tapes.mcp_exchange import McpAnswer, McpRequest, refused

if TYPE_CHECKING:
    from aiohttp import web

VARIABLE = "VIVA_MCP_MOCK"
"""The address of the run and of the conversation, for `viva mcp-mock`."""
SHARED = "MCP calls of several conversations could not be told apart: use --parallel 1, or an agent that viva starts"
_LARGEST_BODY = 1 << 28


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer for the agent, or a request to ask its real server."""

    answer: McpAnswer | None = None
    ask: str | None = None
    """The name under which the real server's answer is sent back."""


class _Open(msgspec.Struct):
    """A request whose answer needs the real server."""

    asked: "asyncio.Event"
    real: "asyncio.Future[McpAnswer]"
    task: "asyncio.Task[McpAnswer]"


class ResponderServer:
    """Serves the responders of all conversations with one agent."""

    def __init__(self, port: int, outside: Callable[[], McpResponder]) -> None:
        """`outside` makes the responder for requests outside of any conversation."""
        self._port = port
        self._outside = outside
        self._runner: web.AppRunner | None = None
        self._starting = asyncio.Lock()
        self._responders: dict[str, McpResponder] = {}
        self._open: dict[str, _Open] = {}
        self.root = ""

    async def start(self) -> None:
        """Raises VivaError when the port is taken. A second call does nothing."""
        from aiohttp import web

        async with self._starting:
            if self._runner is not None:
                return
            app = web.Application(client_max_size=_LARGEST_BODY)
            app.router.add_post("/", self._take)
            app.router.add_post("/c/{token}", self._take)
            app.router.add_post("/asked/{name}", self._hand_in)
            log = server_log()
            runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.5, logger=log)
            await runner.setup()
            try:
                await web.TCPSite(runner, "127.0.0.1", self._port).start()
            except OSError as error:
                await runner.cleanup()
                hint = "choose another port, or leave `listen` out"
                raise VivaError(f"mcp_mock: cannot listen on port {self._port}: {error.strerror}", hint=hint) from None
            self._runner = runner
            self.root = f"http://127.0.0.1:{runner.addresses[0][1]}"

    def add(self, responder: McpResponder) -> str:
        """Returns the address of one conversation."""
        token = secrets.token_hex(16)
        self._responders[token] = responder
        return f"{self.root}/c/{token}"

    def remove(self, responder: McpResponder) -> None:
        self._responders = {token: other for token, other in self._responders.items() if other is not responder}

    async def close(self) -> None:
        for waiting in self._open.values():
            waiting.task.cancel()
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _take(self, request: "web.Request") -> "web.Response":
        try:
            wanted = msgspec.json.decode(await request.read(), type=McpRequest)
        except (msgspec.DecodeError, RecursionError) as error:
            return _sent(Reply(answer=refused(f"viva: no request: {error}")))
        token = request.match_info.get("token")
        if token is not None and token not in self._responders:
            return _sent(Reply(answer=refused("viva: this conversation is over")))
        responder = self._responders[token] if token is not None else self._found()
        if responder is None:
            for one in self._responders.values():
                one.problems.append(SHARED)
            return _sent(Reply(answer=refused(f"viva: {SHARED}")))
        return await self._begun(responder, wanted)

    def _found(self) -> McpResponder | None:
        """The responder of a request that names no conversation; None when there are several."""
        responders = list(self._responders.values())
        if not responders:
            responders = [self._outside()]
        return responders[0] if len(responders) == 1 else None

    async def _begun(self, responder: McpResponder, wanted: McpRequest) -> "web.Response":
        asked, real = asyncio.Event(), asyncio.get_running_loop().create_future()

        async def ask() -> McpAnswer:
            asked.set()
            return await real

        task = asyncio.create_task(responder.answer(wanted, ask))
        wait = asyncio.create_task(asked.wait())
        try:
            await asyncio.wait((task, wait), return_when=asyncio.FIRST_COMPLETED)
        finally:
            wait.cancel()
        if task.done():
            return _sent(Reply(answer=task.result()))
        name = secrets.token_hex(8)
        self._open[name] = _Open(asked, real, task)
        return _sent(Reply(ask=name))

    async def _hand_in(self, request: "web.Request") -> "web.Response":
        waiting = self._open.pop(request.match_info["name"], None)
        if waiting is None:
            return _sent(Reply(answer=refused("viva: nobody asked for this")))
        try:
            waiting.real.set_result(msgspec.json.decode(await request.read(), type=McpAnswer))
        except (msgspec.DecodeError, RecursionError) as error:
            waiting.real.set_result(refused(f"viva: the server's answer cannot be read: {error}"))
        with suppress(asyncio.CancelledError):
            return _sent(Reply(answer=await waiting.task))
        return _sent(Reply(answer=refused("viva: this conversation is over")))


def _sent(reply: Reply) -> "web.Response":
    from aiohttp import web

    return web.Response(body=msgspec.json.encode(reply), content_type="application/json")
