"""A connection to one MCP server, over stdio or HTTP, with the official SDK (1.x or 2.x): shared by all who ask."""

import asyncio
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from importlib import import_module
from typing import Any

from msgspec import Struct

from vivavoce.containment.left_running import note_left_running
from vivavoce.containment.process_tree import MARK, end_marked, first_marked, new_mark
from vivavoce.errors import CallFailed, UsageError
from vivavoce.metering.expenses import counted_as_setup
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue
from vivavoce.net.sendable_headers import refuse_unsendable
from vivavoce.targets.mcp.bounded_http import http_limits
from vivavoce.targets.mcp.bounded_stdio import bound_messages, heard, on_too_much
from vivavoce.targets.mcp.heard import Heard
from vivavoce.targets.mcp.wire_words import keep_wire, wire_of

MOST_PAGES = 100
LAST_WORDS = 500
CONNECT_LIMIT_S = 30.0
"""How long a server may take to start and to answer the first request, `initialize`."""
CLOSE_LIMIT_S = 10.0
"""How long closing waits for a server to end before it is left alone."""
_VALIDATIONS = ("validate_tool_result", "_validate_tool_result")
"""What the SDK calls its own check of results, in 2.x and in 1.x."""

_UNREACHABLE = ("ConnectError", "ConnectTimeout")
"""Errors of the SDK's HTTP library, which differs between its versions."""
_NO_CONNECTION = "All connection attempts failed"


class McpAddress(Struct, frozen=True, kw_only=True):
    """How a server is reached, all variables put in: a command to start, or a URL."""

    command: str | None = None
    args: list[str] = []
    env: Mapping[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: Mapping[str, str] = {}

    def __str__(self) -> str:
        return self.url or self.command or ""


class McpLink:
    """One server. A task of its own holds the connection: the SDK must close it in the task that opened it."""

    def __init__(self, name: str, address: Callable[[], McpAddress], *, sdk_judges: bool = True) -> None:
        """`sdk_judges`: the SDK raises an error for results that do not fit their schema."""
        self._name = name
        self._address = address
        self._sdk_judges = sdk_judges
        self._mark = ""
        """Of the program that was started; empty without one."""
        self._sent_too_much = ""
        self.heard = Heard()
        self._ending: asyncio.Future[Any] | None = None
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[Any] | None = None
        # The server writes to it as long as it runs.
        self._stderr = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115

    async def client(self) -> Any:
        """The SDK's client; the first to ask starts the server. Raises CallFailed when it cannot be reached."""
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._hold(self._ready), name=f"mcp {self._name}")
        assert self._task is not None
        with counted_as_setup():
            await asyncio.wait((self._ready, self._task), return_when=asyncio.FIRST_COMPLETED)
        if not self._ready.done() or (self._task.done() and not self._stop.is_set()):
            raise self._lost(self._task, "did not start" if not self._ready.done() else "was lost")
        return self._ready.result()

    async def close(self) -> None:
        """Ends the server, within CLOSE_LIMIT_S; asking twice does no harm."""
        first = await asyncio.to_thread(first_marked, self._mark) if self._mark else None
        self._stop.set()
        if self._task is not None:
            if self._ready is not None and not self._ready.done():
                # It still waits for the server's first answer and would not see that it is to stop.
                self._task.cancel()
            # How it ends no longer matters to anyone.
            await asyncio.wait((self._task,), timeout=CLOSE_LIMIT_S)
            if not self._task.done():
                self._task.cancel()
                await asyncio.wait((self._task,), timeout=CLOSE_LIMIT_S)
            elif not self._task.cancelled():
                self._task.exception()  # read, so that asyncio does not report it as overlooked
        if self._mark:
            # The SDK ends the server and its group; what left the group is found by its mark.
            mark, self._mark = self._mark, ""
            note_left_running(await asyncio.to_thread(end_marked, mark, first))
        self._stderr.close()

    def last_words(self) -> str:
        """The end of what the server wrote to stderr, for messages."""
        file = self._stderr.fileno()
        # A server may have written gigabytes.
        end = os.pread(file, 4 * LAST_WORDS, max(0, os.fstat(file).st_size - 4 * LAST_WORDS))
        said = end.decode(errors="replace").strip()[-LAST_WORDS:]
        sent = f"; it was ended because it sent {self._sent_too_much}" if self._sent_too_much else ""
        if self.heard.unread:
            sent += f"; it sent {self.heard.unread}"
            self.heard.unread = ""
        return f"{sent}; it said: {said}" if said else sent

    def _end_for(self, what: str) -> None:
        """Ends a server for what it sent. Pending requests fail: the connection is closed."""
        self._sent_too_much = what
        self._ending = asyncio.get_running_loop().run_in_executor(None, end_marked, self._mark)

    async def _hold(self, ready: "asyncio.Future[Any]") -> None:
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(CONNECT_LIMIT_S):
                    client = await self._opened(stack)
            except TimeoutError:
                late = f"no answer to `initialize` within {CONNECT_LIMIT_S:g} s"
                raise TimeoutError(late) from None
            ready.set_result(client)
            await self._stop.wait()

    async def _opened(self, stack: AsyncExitStack) -> Any:
        sdk = sdk_module("mcp")
        _log_without_tracebacks()
        transport = await self._transport(stack, self._address())
        if hasattr(sdk, "Client"):
            client = await stack.enter_async_context(sdk.Client(transport))
            session = client.session
        else:
            read, write, *_ = await stack.enter_async_context(transport)
            client = session = await stack.enter_async_context(sdk.ClientSession(read, write))
            await session.initialize()
        keep_wire(session)
        if not self._sdk_judges:
            for name in _VALIDATIONS:
                if hasattr(session, name):
                    setattr(session, name, _not_judged)
        return client

    async def _transport(self, stack: AsyncExitStack, address: McpAddress) -> Any:
        if address.url is None:
            stdio, self._mark = sdk_module("mcp.client.stdio"), new_mark()
            self.heard.is_listening = bound_messages(stdio)
            on_too_much.set(self._end_for)
            heard.set(self.heard)
            parameters = stdio.StdioServerParameters(
                command=address.command, args=address.args, env={**address.env, MARK: self._mark}, cwd=address.cwd
            )
            return stdio.stdio_client(parameters, errlog=self._stderr)
        over_http = sdk_module("mcp.client.streamable_http")
        refuse_unsendable(address.headers, f"MCP server {self._name!r}", ascii_only=True)
        headers = {name: value.strip() for name, value in address.headers.items()}
        if not hasattr(sdk_module("mcp"), "Client"):
            return over_http.streamablehttp_client(
                address.url, headers=headers, httpx_client_factory=_client_of_v1(address.url, self.heard)
            )
        httpx = sdk_module("httpx2")
        http = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(30, read=None),
            event_hooks=http_limits(httpx, address.url, self.heard),
        )
        return over_http.streamable_http_client(address.url, http_client=await stack.enter_async_context(http))

    def _lost(self, task: "asyncio.Task[None]", how: str) -> CallFailed | UsageError:
        error: Any = None if task.cancelled() or not task.done() else task.exception()
        while (inner := getattr(error, "exceptions", None)) is not None:
            error = inner[0]
        if isinstance(error, UsageError):
            return error
        if type(error).__name__ in _UNREACHABLE:
            why = "" if str(error) in ("", _NO_CONNECTION) else f" ({error})"
            return CallFailed(
                f"MCP server {self._name!r}: nobody answers at {self._shown()}{why}",
                fault="target",
                hint="start the server, or correct its `url`",
            )
        why = "it was closed" if error is None else words_of_error(error)
        what = f"MCP server {self._name!r} ({self._shown()}) {how}: {why}"
        return CallFailed(f"{what}{self.last_words()}", fault="target")

    def _shown(self) -> str:
        return str(self._address())


class _OneLine(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print(f"mcp: {record.getMessage()}", file=sys.stderr)


def _log_without_tracebacks() -> None:
    """One line for what the SDK logs with a traceback, such as words of a server that are no message."""
    logger = logging.getLogger("mcp")
    if not (logger.handlers or logging.root.handlers):
        logger.addHandler(_OneLine(logging.WARNING))


def _client_of_v1(url: str, heard: Heard) -> Callable[..., Any]:
    """What makes the HTTP client of the SDK 1.x, with limits."""

    def made(headers: Any = None, timeout: Any = None, auth: Any = None) -> Any:
        client = sdk_module("mcp.shared._httpx_utils").create_mcp_http_client(headers, timeout, auth)
        client.event_hooks = http_limits(sdk_module("httpx"), url, heard)
        return client

    return made


async def listed(ask: Callable[..., Any], key: str, wires: JsonArray | None = None) -> JsonArray:
    """All pages of a list of the server, as plain JSON. `wires` gets each page as it came."""
    found: JsonArray = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        answer = await (ask() if cursor is None else ask(cursor=cursor))
        if wires is not None:
            wires.append(wire_of(answer))
        page = plain(answer)
        found += page.get(key) or []
        cursor = page.get("nextCursor")
        if not cursor:
            return found
    raise CallFailed(f"the server's list of {key} has no end: {MOST_PAGES} pages", fault="target")


def plain(model: Any) -> JsonObject:
    """What the SDK read as it was on the wire, the same for both of its versions."""
    value: JsonValue = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return value


def words_of_error(error: BaseException) -> str:
    """What an error says. The errors of a pipe that broke say nothing: they mean that the server has ended."""
    if type(error).__name__ in ("BrokenResourceError", "ClosedResourceError", "EndOfStream"):
        return "the server has ended"
    return str(error) or type(error).__name__


async def _not_judged(*_: object) -> None:
    """In place of the SDK's check: viva shows the result and says what is wrong with it."""


def sdk_module(name: str) -> Any:
    """A module of the SDK. Raises UsageError where it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"this agent uses MCP servers, and {error.name!r} is not installed",
            hint="pip install 'vivavoce[mcp]'",
        ) from None
