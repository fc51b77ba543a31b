"""One HTTP client per process, opened when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from vivavoce.errors import BrokenEnvironment

if TYPE_CHECKING:
    import aiohttp


_PROXIES = ("http://", "https://", "socks4://", "socks4a://", "socks5://", "socks5h://")


class HttpClient:
    """A shared aiohttp session without a connection cap: parallelism is decided elsewhere."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    def session(self) -> aiohttp.ClientSession:
        """The open session. Raises BrokenEnvironment when no call could work."""
        if self._session is None or self._session.closed:
            from urllib.request import getproxies_environment

            from vivavoce.net.lean_aiohttp import aiohttp

            refuse_bad_proxy()
            proxies = getproxies_environment()
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
                # Deadlines are scopes of the caller; a hidden five-minute default would cut long runs.
                timeout=aiohttp.ClientTimeout(total=None, connect=30),
                auto_decompress=True,
                # Asking the environment costs two thread hops per request: only where a proxy is set.
                trust_env=bool(proxies),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None


def refuse_bad_proxy() -> None:
    """Raises BrokenEnvironment for a proxy variable that is no address: neither the test nor the agent is to blame."""
    from urllib.request import getproxies_environment

    proxies = getproxies_environment()
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        proxy = proxies.get(name.removesuffix("_PROXY").lower())
        if proxy is not None and not _is_address(proxy):
            hint = f"write it like http://host:8080, or unset {name}"
            raise BrokenEnvironment(f"{name} in the environment is no address of a proxy", hint=hint)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return text.lower().startswith(_PROXIES) and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
