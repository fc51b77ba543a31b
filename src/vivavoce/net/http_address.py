"""Parses a URL into what a request needs."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from yarl import URL

_DEFAULT_PORTS = {"http": 80, "https": 443}


class HttpAddress(NamedTuple):
    """Where a request goes: the server, and the path on it."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query, percent-encoded."""
    authorization: str | None
    """The header for a user and password written in the address."""

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


@lru_cache(maxsize=256)
def http_address(url: str | URL) -> HttpAddress:
    """Raises ValueError for anything but an http:// or https:// URL."""
    # Imported here: every command imports this module, and few make requests.
    from yarl import URL

    parsed = URL(url)
    if parsed.scheme not in _DEFAULT_PORTS or not parsed.raw_host or not parsed.port:
        raise ValueError("not an http:// or https:// address")
    authorization = basic_authorization(parsed.user, parsed.password)
    return HttpAddress(parsed.scheme, parsed.raw_host, parsed.port, parsed.raw_path_qs, authorization)


def basic_authorization(user: str | None, password: str | None) -> str | None:
    """Returns the value of an Authorization header; None without a user and a password."""
    if user is None and password is None:
        return None
    return "Basic " + b64encode(f"{user or ''}:{password or ''}".encode()).decode()
