"""Asks the run of viva that an MCP mock belongs to: it has the case's mocks, faults and tape."""

import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from vivavoce.sight.mcp_calls.responder_server import VARIABLE, Reply
from vivavoce.sight.tapes.mcp_exchange import McpAnswer, McpRequest, refused

if TYPE_CHECKING:
    import aiohttp

_PROC = Path("/proc")
_MOST_ANCESTORS = 20


class RunResponder:
    """The responder of one conversation, or of the one that is under way."""

    def __init__(self, address: str, session: "aiohttp.ClientSession", secrets: Sequence[str]) -> None:
        """`secrets`: what this process knows and no tape of the run may hold."""
        self._address = address
        self._root = address.partition("/c/")[0].rstrip("/")
        self._session = session
        self._secrets = list(secrets)

    async def answer(self, request: McpRequest, ask: Callable[[], Awaitable[McpAnswer]]) -> McpAnswer:
        """Returns what the run decides; it may want the answer of `ask` first."""
        reply = await self._post(self._address, structs.replace(request, secrets=self._secrets))
        if reply.ask is not None:
            reply = await self._post(f"{self._root}/asked/{reply.ask}", await ask())
        return reply.answer or refused("viva: the run gave no answer")

    async def _post(self, address: str, body: McpRequest | McpAnswer) -> Reply:
        import aiohttp

        try:
            async with self._session.post(address, data=msgspec.json.encode(body)) as response:
                return msgspec.json.decode(await response.read(), type=Reply)
        except (aiohttp.ClientError, msgspec.DecodeError) as error:
            return Reply(answer=refused(f"viva: the run at {self._root} does not answer: {error}"))


def address_of_run() -> str | None:
    """Where the run listens; None outside a run.

    MCP clients start their servers with few variables. So the processes above are looked at too, where `/proc` shows
    their environment.
    """
    found = os.environ.get(VARIABLE)
    process = os.getppid()
    for _ in range(_MOST_ANCESTORS):
        if found or process <= 1:
            break
        found, process = _variable_of(process), _parent_of(process)
    return found or None


def _variable_of(process: int) -> str | None:
    try:
        variables = (_PROC / str(process) / "environ").read_bytes().split(b"\0")
    except OSError:
        return None
    prefix = f"{VARIABLE}=".encode()
    return next((one.removeprefix(prefix).decode() for one in variables if one.startswith(prefix)), None)


def _parent_of(process: int) -> int:
    try:
        status = (_PROC / str(process) / "status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("PPid:")), 0)
