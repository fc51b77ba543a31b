"""Serves one mock until its client goes, over stdio or streamable HTTP."""

import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from vivavoce.errors import UsageError, VivaError
from vivavoce.mcp_server.mock.front import make_front
from vivavoce.mcp_server.mock.own_responder import OwnResponder, read_mocks
from vivavoce.mcp_server.mock.real_server import RealServer, name_of
from vivavoce.mcp_server.mock.run_responder import RunResponder, address_of_run
from vivavoce.sight.tapes.masking import censor_of, secret_values
from vivavoce.sight.tapes.mcp_exchange import LIST_TOOLS, McpAnswer, McpRequest
from vivavoce.targets.mcp.link import sdk_module

PATH = "/mcp"


class MockOptions(Struct, frozen=True, kw_only=True):
    """What `viva mcp-mock` was asked for."""

    command: tuple[str, ...] = ()
    url: str | None = None
    headers: dict[str, str] = {}
    name: str | None = None
    mocks: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    port: int | None = None
    """None: standard input and output."""


async def serve_mock(options: MockOptions) -> None:
    """Raises UsageError for options that do not go together, VivaError when the server cannot be had."""
    _check(options)
    async with _front(options) as front:
        if options.port is None:
            await _over_stdio(front)
        else:
            await _over_http(front, options.port)


def _check(options: MockOptions) -> None:
    if options.command and options.url:
        raise UsageError("an MCP server has either a command or a --url", hint="give one of them")
    if options.record and options.replay:
        raise UsageError("--record and --replay ask for opposite things", hint="give one of them")
    if options.record and not (options.command or options.url):
        raise UsageError("there is no server to record", at="--record", hint="viva mcp-mock --record DIR -- COMMAND")
    if not (options.command or options.url or options.mocks or options.replay):
        raise UsageError("nothing to answer from", hint="viva mcp-mock -- COMMAND, or --mocks FILE, or --replay DIR")


@asynccontextmanager
async def _front(options: MockOptions) -> AsyncGenerator[Any]:
    import aiohttp

    name = options.name or name_of(options.command, options.url)
    mocks = read_mocks(options.mocks) if options.mocks else ()
    real = RealServer(name, options.command, options.url, options.headers)
    secrets = secret_values(options.headers)
    own = OwnResponder(name, mocks, options.record, options.replay, censor_of(secrets))
    address = address_of_run()
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None, connect=10)) as session:
        run = None if address is None else RunResponder(address, session, secrets)

        async def ask_server(request: McpRequest) -> McpAnswer:
            return await real.ask(request) if real.is_there else own.tools_of_mocks(request)

        async def ask_own(request: McpRequest) -> McpAnswer:
            return await own.answer(request, lambda: ask_server(request))

        async def answer(request: McpRequest) -> McpAnswer:
            return await (ask_own(request) if run is None else run.answer(request, lambda: ask_own(request)))

        try:
            front = await make_front(name, answer)
            if mocks:
                own.refuse_unknown(await answer(McpRequest(server=name, method=LIST_TOOLS)))
            yield front
        finally:
            await real.close()
            own.close()


async def _over_stdio(front: Any) -> None:
    stdio = sdk_module("mcp.server.stdio")
    # viva's own stream beside descriptor 1 would hide it from the SDK, which keeps it free of all other output.
    ours, sys.stdout = sys.stdout, sys.__stdout__ or sys.stdout
    try:
        async with stdio.stdio_server() as (read, write):
            await front.run(read, write, front.create_initialization_options())
    finally:
        sys.stdout = ours


async def _over_http(front: Any, port: int) -> None:
    manager = sdk_module("mcp.server.streamable_http_manager").StreamableHTTPSessionManager(front)
    starlette, routing, uvicorn = map(sdk_module, ("starlette.applications", "starlette.routing", "uvicorn"))
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        listening.close()
        raise VivaError(f"cannot listen on port {port}: {error.strerror}", hint="--http 0 takes any free one") from None

    class Endpoint:
        """A class, so that Starlette takes it for an application and not for a function of a request."""

        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await manager.handle_request(scope, receive, send)

    def lifespan(_: Any) -> Any:
        return manager.run()

    app = starlette.Starlette(routes=[routing.Route(PATH, endpoint=Endpoint())], lifespan=lifespan)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}{PATH}"
    print(f"viva: the MCP mock listens at {address}", file=sys.stderr, flush=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])
