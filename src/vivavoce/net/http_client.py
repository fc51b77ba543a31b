"""The HTTP client of a run. It reuses connections, follows no redirects and sends only GET requests a second time."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vivavoce.errors import BrokenEnvironment
from vivavoce.net.http_address import HttpAddress, http_address
from vivavoce.net.http_failures import AnswerBroken, CannotConnect, ConnectTimedOut
from vivavoce.net.http_proxies import Proxies, refuse_bad_proxy
from vivavoce.version import __version__

if TYPE_CHECKING:
    import ssl

    from yarl import URL

    from vivavoce.net.http_connection import HttpConnection, HttpResponse

CONNECT_S = 30.0
_LONGEST_IDLE_S = 1.0
"""Servers close unused connections, gunicorn after 2 seconds, uvicorn and Node.js after 5. A request sent at that
moment is lost, and a POST may not be sent again: so only connections used just now are used again."""
_NEXT_ADDRESS_AFTER_S = 0.25
"""How long to wait for one address of a host before also trying the next one."""
_USUAL_HEADERS = {
    "accept": "Accept: */*\r\n",
    "accept-encoding": "Accept-Encoding: gzip, deflate\r\n",
    "user-agent": f"User-Agent: viva/{__version__}\r\n",
}
_WITH_A_BODY = frozenset({"POST", "PUT", "PATCH"})
_NO_HEADERS: Mapping[str, str] = {}

Route = tuple[str, str, int, HttpAddress | None]
"""Scheme, host, port and proxy: requests with the same route may share a connection."""


class HttpClient:
    """Has no limit of connections and no deadline: callers set both."""

    def __init__(self) -> None:
        self._free: dict[Route, list[HttpConnection]] = {}
        self._open: set[HttpConnection] = set()
        self._proxies: Proxies | None = None
        self._tls: ssl.SSLContext | None = None

    async def request(
        self,
        method: str,
        url: str | URL,
        *,
        headers: Mapping[str, str] = _NO_HEADERS,
        body: bytes | None = None,
        connect_s: float = CONNECT_S,
    ) -> HttpResponse:
        """Sends a request and returns the answer as soon as its headers have arrived.

        Raises CannotConnect or ConnectTimedOut if nothing was sent, AnswerBroken if no answer came, ValueError for an
        invalid address or header, BrokenEnvironment for a bad proxy in the environment.
        """
        address = http_address(url)
        proxy = self._proxy_for(address)
        request = _written(method, address, proxy, headers, body)
        route = (address.scheme, address.host, address.port, proxy)
        reused = self._take_free(route)
        connection = reused or await self._connect(route, connect_s)
        try:
            return await connection.exchange(request, headers_only=method == "HEAD")
        except AnswerBroken:
            # The server may have closed the connection at the moment of its reuse. A second GET does no harm.
            if reused is None or method != "GET":
                raise
        again = await self._connect(route, connect_s)
        return await again.exchange(request)

    async def close(self) -> None:
        for connection in self._open:
            connection.close()
        self._open.clear()
        self._free.clear()
        await asyncio.sleep(0)  # the loop closes the sockets now

    def _proxy_for(self, address: HttpAddress) -> HttpAddress | None:
        if self._proxies is None:
            refuse_bad_proxy()
            self._proxies = Proxies()
        return self._proxies.proxy_for(address)

    def _take_free(self, route: Route) -> HttpConnection | None:
        """Returns the free connection that was used last; closes those that are too old."""
        free = self._free.get(route)
        while free:
            connection = free.pop()
            if connection.is_open and time.monotonic() - connection.free_since < _LONGEST_IDLE_S:
                return connection
            connection.close()
            self._open.discard(connection)
        return None

    async def _connect(self, route: Route, connect_s: float) -> HttpConnection:
        from vivavoce.net.http_connection import HttpConnection

        def give_back(connection: HttpConnection) -> None:
            connection.free_since = time.monotonic()
            free.append(connection)

        free = self._free.setdefault(route, [])
        connection = HttpConnection(give_back, self._open.discard)
        try:
            async with asyncio.timeout(connect_s):
                await self._reach(connection, route)
        except TimeoutError:
            raise ConnectTimedOut(f"no connection within {connect_s:g} s") from None
        except OSError as error:
            raise CannotConnect(error, "" if route[3] is None else f"{route[3].host}:{route[3].port}") from None
        self._open.add(connection)
        return connection

    async def _reach(self, connection: HttpConnection, route: Route) -> None:
        """Connects to the server, directly or through the proxy."""
        scheme, host, port, proxy = route
        loop = asyncio.get_running_loop()
        first = (scheme, host, port) if proxy is None else proxy[:3]
        tls = self._tls_context() if first[0] == "https" else None
        if isinstance(loop, asyncio.BaseEventLoop):
            await loop.create_connection(
                lambda: connection, *first[1:], ssl=tls, happy_eyeballs_delay=_NEXT_ADDRESS_AFTER_S
            )
        else:  # uvloop tries the addresses of a host one after the other
            await loop.create_connection(lambda: connection, *first[1:], ssl=tls)
        if proxy is not None and scheme == "https":
            await self._tunnel(connection, host, port, proxy)

    async def _tunnel(self, connection: HttpConnection, host: str, port: int, proxy: HttpAddress) -> None:
        """Asks the proxy for a tunnel to the server, and starts TLS in it."""
        there = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        allowed = "" if proxy.authorization is None else f"Proxy-Authorization: {proxy.authorization}\r\n"
        try:
            await connection.open_tunnel(f"CONNECT {there} HTTP/1.1\r\nHost: {there}\r\n{allowed}\r\n".encode())
        except AnswerBroken as refusal:
            by = f"{proxy.host}:{proxy.port}"
            raise ConnectionError(f"the proxy {by} does not connect to {there}: {refusal}") from None
        await connection.start_tls(self._tls_context(), host)

    def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = _new_tls_context()
        return self._tls


def _new_tls_context() -> ssl.SSLContext:
    """Raises BrokenEnvironment for bad TLS variables, which are the fault of neither the test nor the agent."""
    import ssl

    certificates = os.environ.get("SSL_CERT_FILE")
    if certificates and not os.path.isfile(certificates):
        hint = "name a file with certificates, or unset SSL_CERT_FILE"
        raise BrokenEnvironment("SSL_CERT_FILE in the environment is not the path of a file", hint=hint)
    try:
        return ssl.create_default_context()
    except (OSError, ValueError) as error:
        hint = "look at SSLKEYLOGFILE, SSL_CERT_FILE, SSL_CERT_DIR and OPENSSL_CONF"
        raise BrokenEnvironment(f"TLS cannot start in this environment: {error}", hint=hint) from None


def _written(
    method: str, address: HttpAddress, proxy: HttpAddress | None, headers: Mapping[str, str], body: bytes | None
) -> bytes:
    """Returns the bytes of a whole request. Raises ValueError for a header with a line break."""
    template = _head_template(method, address, proxy, tuple(headers))
    head = template.text % tuple(headers.values())
    if head.count("\n") != template.line_ends or head.count("\r") != template.line_ends or "\0" in head:
        raise ValueError("a header has a line break or another control character in it")
    length = f"Content-Length: {len(body or b'')}\r\n" if body is not None or method in _WITH_A_BODY else ""
    return f"{head}{length}\r\n".encode("utf-8", "surrogateescape") + (body or b"")


class _HeadTemplate(NamedTuple):
    """The head of a request without the values of its headers."""

    text: str
    """With a `%s` for each value."""
    line_ends: int


@lru_cache(maxsize=256)
def _head_template(
    method: str, address: HttpAddress, proxy: HttpAddress | None, names: tuple[str, ...]
) -> _HeadTemplate:
    """Made once for all requests to an address with the same names of headers."""
    plain_proxy = proxy if address.scheme == "http" else None
    given = {name.lower() for name in names}
    lines = _first_lines(method, address, whole_address=plain_proxy is not None)
    if "host" in given:  # servers refuse a request with two Host headers
        lines = lines[:1]
    written = [f"{name}: ".replace("%", "%%") + "%s\r\n" for name in names]
    usual = [line for name, line in _USUAL_HEADERS.items() if name not in given]
    if address.authorization is not None and "authorization" not in given:
        usual.append(f"Authorization: {address.authorization}\r\n")
    if plain_proxy is not None and plain_proxy.authorization is not None:
        usual.append(f"Proxy-Authorization: {plain_proxy.authorization}\r\n")
    before, after = ("".join(some).replace("%", "%%") for some in (lines, usual))
    return _HeadTemplate(before + "".join(written) + after, len(lines) + len(written) + len(usual))


def _first_lines(method: str, address: HttpAddress, *, whole_address: bool) -> list[str]:
    if not (method.isascii() and method.isalpha()):
        raise ValueError(f"not a method of HTTP: {method!r}")
    target = f"{address.scheme}://{address.host_header}{address.target}" if whole_address else address.target
    return [f"{method} {target} HTTP/1.1\r\n", f"Host: {address.host_header}\r\n"]
