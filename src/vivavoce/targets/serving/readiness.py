"""When a server is ready: a URL answers, a port is open, or its log says so."""

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

from vivavoce.errors import UsageError
from vivavoce.net.http_client import HttpClient
from vivavoce.net.http_failures import HttpFailure
from vivavoce.notation.patterns import search
from vivavoce.targets.web_address import is_web_address

_FIRST_FAILURE = 500
"""A status below this means that the server is up; it may want another path, another method, or a key."""
_TRY_S = 2.0


class Readiness:
    """One of the three signs. Another server may already use an address."""

    def __init__(self, sign: str | int, agent_url: str | None, http: HttpClient) -> None:
        """`agent_url` is where the agent itself is reached, for signs that name no address."""
        self._http = http
        self._status: int | None = None
        self.url = sign if isinstance(sign, str) and is_web_address(sign) else None
        self._pattern = sign if isinstance(sign, str) and self.url is None else None
        self.address = _address_of(self.url or agent_url) if not isinstance(sign, int) else ("localhost", sign)

    def __str__(self) -> str:
        if self.url is not None:
            return f"{self.url} " + (f"answers {self._status}" if self._status else "does not answer")
        return f"its log does not match /{self._pattern}/" if self._pattern else f"nobody listens on port {self.port}"

    @property
    def port(self) -> int | None:
        return None if self.address is None else self.address[1]

    async def is_taken(self) -> bool:
        """Whether somebody listens at the address already."""
        return self.address is not None and await _listens(*self.address)

    async def is_ready(self, log: Callable[[], str]) -> bool:
        if self._pattern is not None:
            return search(self._pattern, log()) is not None
        if self.url is None:
            return await self.is_taken()
        try:
            async with asyncio.timeout(_TRY_S):
                with await self._http.request("GET", self.url) as response:
                    self._status = response.status
        except (HttpFailure, TimeoutError, ValueError):
            self._status = None
        return self._status is not None and self._status < _FIRST_FAILURE


def _address_of(url: str | None) -> tuple[str, int] | None:
    """The host and port of a URL on this machine; None for others and for one with variables in it."""
    if url is None or "${" in url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise UsageError(f"serve: not an address: {url!r}", hint="write it like http://localhost:8000") from None
    local = parts.hostname in ("localhost", "::1", "0.0.0.0") or str(parts.hostname).startswith("127.")
    return ("localhost" if parts.hostname == "0.0.0.0" else str(parts.hostname), port) if local else None


async def _listens(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(_TRY_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
