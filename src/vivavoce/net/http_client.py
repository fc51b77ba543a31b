"""One HTTP client per process, opened when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import aiohttp


class HttpClient:
    """A shared aiohttp session without a connection cap: parallelism is decided elsewhere."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    def session(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            from urllib.request import getproxies_environment

            import aiohttp

            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
                # Deadlines are scopes of the caller; a hidden five-minute default would cut long runs.
                timeout=aiohttp.ClientTimeout(total=None, connect=30),
                auto_decompress=True,
                # Asking the environment costs two thread hops per request: only where a proxy is set.
                trust_env=bool(getproxies_environment()),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
