"""The OTLP/HTTP server on loopback: receives spans from exporters and sorts them by turn."""

import asyncio
import zlib

from aiohttp import web

from vivavoce.errors import UsageError, VivaError
from vivavoce.net.server_log import server_log
from vivavoce.sight.spans.arrivals import Arrivals
from vivavoce.sight.spans.otlp import spans_in

_LARGEST_BODY = 64 << 20
_PROTOBUF = "application/x-protobuf"
_TOO_LARGE = f"it has more than {_LARGEST_BODY >> 20} MB"
_GZIP = 16 + zlib.MAX_WBITS


class Receiver:
    """One per port. Agents of one run that name the same port share it."""

    def __init__(self, port: int) -> None:
        self._wanted_port = port
        self.port = port
        self.arrivals = Arrivals()
        self._runner: web.AppRunner | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Raises VivaError when the port is taken."""
        async with self._starting:
            if self._runner is not None:
                return
            app = web.Application(client_max_size=_LARGEST_BODY)
            # With and without the turn in the address. Logs and metrics too: exporters would retry them for long.
            for path in ("/v1/{signal}", "/turn/{turn}/v1/{signal}"):
                app.router.add_post(path, self._take)
            runner = web.AppRunner(app, access_log=None, handle_signals=False, logger=server_log(self._not_read))
            await runner.setup()
            try:
                site = web.TCPSite(runner, "127.0.0.1", self._wanted_port)
                await site.start()
            except OSError as error:
                await runner.cleanup()
                raise VivaError(
                    f"spans cannot be received on port {self._wanted_port}: {error.strerror or error}",
                    hint="another collector may listen there: stop it, or write another port under `otel: {listen: …}`",
                ) from None
            self._runner = runner
            self.port = int(runner.addresses[0][1])

    async def close(self) -> None:
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    def _not_read(self, why: str) -> None:
        """Records that an export was refused: it may have held calls."""
        self.arrivals.problem = f"an export could not be read: {why}"

    async def _take(self, request: web.Request) -> web.Response:
        content_type = request.content_type
        if request.match_info["signal"] == "traces":
            try:
                # aiohttp decompresses by `Content-Encoding`, and reads bodies without a length.
                body = await request.read()
                self.arrivals.add(spans_in(_unzipped(body), content_type), request.match_info.get("turn"))
            except UsageError as problem:
                self.arrivals.problem = f"{problem.what} ({problem.hint})"
                return web.Response(status=415, text=str(problem))
            except web.HTTPRequestEntityTooLarge:
                self._not_read(_TOO_LARGE)
                raise
            except (ValueError, TypeError, RecursionError, OSError, EOFError, zlib.error) as error:
                self._not_read(str(error))
                return web.Response(status=400, text=str(error))
        is_json = "json" in content_type
        return web.Response(body=b"{}" if is_json else b"", content_type=content_type if is_json else _PROTOBUF)


def _unzipped(body: bytes) -> bytes:
    """Decompresses gzip that some exporters send without `Content-Encoding`. Raises ValueError when it is too large."""
    if body[:2] != b"\x1f\x8b":
        return body
    opener = zlib.decompressobj(_GZIP)
    plain = opener.decompress(body, _LARGEST_BODY)
    if opener.unconsumed_tail:
        raise ValueError(_TOO_LARGE)
    if not opener.eof:
        raise EOFError("its gzip ends too early")
    return plain
