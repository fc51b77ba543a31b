"""The server of the proxy: on loopback, in its own thread with its own event loop.

Otherwise an agent that blocks viva's event loop while it waits for its model would wait for ever.
"""

import asyncio
import re
import socket
import threading
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from vivavoce.errors import VivaError
from vivavoce.metering.clock import now_ms
from vivavoce.net.http_client import HttpClient
from vivavoce.net.http_failures import HttpFailure
from vivavoce.net.server_log import server_log
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.call import Call
from vivavoce.sight.proxy.forwarding import forwarded
from vivavoce.sight.proxy.providers import Provider
from vivavoce.sight.proxy.sending import begun, refused, send_spoilt
from vivavoce.sight.proxy.taps import Tap, Taps

if TYPE_CHECKING:
    from aiohttp import web

LARGEST_REQUEST = 2**28
_SCOPED = re.compile(r"/c/(?P<token>[\w-]+)(?P<rest>/.*)")
_CLOSING_S = 5.0


class ProxyServer:
    """Listens from its construction on; answers from `start` on."""

    def __init__(self, port: int, providers: dict[str, Provider]) -> None:
        """Raises VivaError when the port is taken."""
        self.taps = Taps()
        self._providers = providers
        """For requests outside of conversations."""
        self._socket = socket.socket()
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind(("127.0.0.1", port))
            self._socket.listen(256)
        except OSError as error:
            self._socket.close()
            hint = "choose another port, or listen: 0 for any"
            raise VivaError(f"model_proxy: cannot listen on port {port}: {error.strerror}", hint=hint) from None
        self.root = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self.strays = 0
        """The number of requests outside of conversations."""

    def scoped(self, token: str) -> str:
        """The root of the base URLs of one conversation."""
        return f"{self.root}/c/{token}"

    def start(self) -> None:
        """Starts to answer. A second call does nothing."""
        if self._thread is None:
            ready: Future[None] = Future()
            self._thread = threading.Thread(target=self._run, args=(ready,), name="viva-model-proxy", daemon=True)
            self._thread.start()
            ready.result()

    def close(self) -> None:
        """Ends the thread and breaks off open requests."""
        if self._thread is not None and self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(_CLOSING_S)
            self._thread = None
        self._socket.close()

    def _run(self, ready: "Future[None]") -> None:
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: "Future[None]") -> None:
        from aiohttp import web

        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        http = HttpClient()

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            return await self._handle(request, http)

        server = web.Server(
            handle,
            access_log=None,
            handler_cancellation=True,
            request_factory=_large_request,
            logger=server_log(),
        )
        runner = web.ServerRunner(server, shutdown_timeout=0.5)
        await runner.setup()
        await web.SockSite(runner, self._socket).start()
        ready.set_result(None)
        await self._stop.wait()
        await runner.cleanup()
        await http.close()

    async def _handle(self, request: "web.BaseRequest", http: HttpClient) -> "web.StreamResponse":
        tap, call, why = await self._read(request)
        if call is None:
            return refused(404, why)
        if tap is None:
            self.strays += 1
            return refused(404, "viva's model proxy: no conversation is running, so this call belongs to no case")
        answer = tap.begin(call)
        if tap.spoils(call):
            return await send_spoilt(request, tap, call, answer, http)
        if answer is not None:
            return await _replayed(request, tap, call, answer)
        return await _passed_on(request, tap, call, http)

    async def _read(self, request: "web.BaseRequest") -> tuple[Tap | None, Call | None, str]:
        path = request.rel_url.raw_path
        scoped = _SCOPED.fullmatch(path)
        tap = self.taps.named(scoped["token"]) if scoped else None
        if scoped and tap is None:
            return None, None, "viva's model proxy: this conversation is over"
        rest = scoped["rest"] if scoped else path
        providers = self._providers if tap is None else tap.providers
        provider = next((one for one in providers.values() if rest.startswith(f"/{one.prefix}/")), None)
        if provider is None:
            known = ", ".join(f"/{prefix}/" for prefix in providers)
            return None, None, f"viva's model proxy knows no provider at {rest}; known: {known}"
        call = Call(
            provider=provider,
            method=request.method,
            path=rest.removeprefix(f"/{provider.prefix}"),
            query=request.rel_url.raw_query_string,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await request.read(),
            at_ms=now_ms(),
        )
        return tap or self.taps.found(call), call, ""


def _large_request(*made_of: Any) -> "web.BaseRequest":
    """A request whose body may be larger than aiohttp's usual megabyte."""
    from aiohttp import web

    message, payload, protocol, writer, task = made_of
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=LARGEST_REQUEST)


async def _passed_on(request: "web.BaseRequest", tap: Tap, call: Call, http: HttpClient) -> "web.StreamResponse":
    from aiohttp import web

    answer, response, problem = Answer(headers={}, chunks=[]), None, "the agent hung up before the answer came"
    try:
        await asyncio.sleep(tap.delay_s(call))
        async for piece in forwarded(call, answer, http):
            if response is None:
                response = await begun(request, answer)
            if piece:
                await response.write(piece)
        problem = ""
    except (HttpFailure, ConnectionError, ValueError) as error:
        if isinstance(error, ConnectionError) and response is not None:
            problem = "the agent hung up"
            raise
        problem = f"{call.provider.name} cannot be reached: {error or type(error).__name__}"
        if response is None:
            return refused(502, f"viva's model proxy: {problem}")
        # The answer has begun, so it can only be cut off.
        if request.transport is not None:
            request.transport.abort()
    finally:
        await tap.end(call, answer, problem)
    if response is None:
        return web.Response(status=502)
    await response.write_eof()
    return response


async def _replayed(request: "web.BaseRequest", tap: Tap, call: Call, answer: Answer) -> "web.StreamResponse":
    try:
        await asyncio.sleep(tap.delay_s(call))
        response = await begun(request, answer)
        for _, piece in answer.chunks:
            await response.write(piece)
        if not answer.is_whole and request.transport is not None:
            # The recorded answer broke off, so this one must too: else half an answer would look complete.
            request.transport.close()
            return response
        await response.write_eof()
    finally:
        await tap.end(call, answer, "")
    return response
