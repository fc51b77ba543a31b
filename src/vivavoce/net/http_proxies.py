"""The proxies that the environment names: HTTP_PROXY, HTTPS_PROXY, NO_PROXY."""

import os
import re
from functools import lru_cache
from urllib.parse import urlsplit

from vivavoce.errors import BrokenEnvironment
from vivavoce.net.http_address import HttpAddress, http_address

_KNOWN = ("http://", "https://")
_HOST = r"[\w.:-]++"
"""A host's name or address; `:` is for IPv6."""


def refuse_bad_proxy() -> None:
    """Raises BrokenEnvironment for a bad proxy variable, which is the fault of neither the test nor the agent."""
    proxies = _proxies()
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        proxy = proxies.get(name.removesuffix("_PROXY").lower())
        if proxy is not None and not _is_address(proxy):
            hint = f"write it like http://host:8080, or unset {name}"
            raise BrokenEnvironment(f"{name} in the environment is no address of a proxy", hint=hint)


class Proxies:
    """The proxies of the environment, as it was at the first request."""

    def __init__(self) -> None:
        self._proxies = _proxies()
        self._chosen = lru_cache(maxsize=256)(self._choose)

    def proxy_for(self, address: HttpAddress) -> HttpAddress | None:
        """Returns the proxy for this server; None for a direct connection."""
        return self._chosen(address.scheme, address.host, address.port) if self._proxies else None

    def _choose(self, scheme: str, host: str, port: int) -> HttpAddress | None:
        from urllib.request import proxy_bypass

        proxy = self._proxies.get(scheme)
        if proxy is None or proxy_bypass(f"{host}:{port}"):
            return None
        return http_address(proxy)


def _proxies() -> dict[str, str]:
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return {}
    # Imported here: urllib.request takes longer to import than most commands take to plan a run.
    from urllib.request import getproxies_environment

    return getproxies_environment()


def _is_address(text: str) -> bool:
    if not text.isprintable():  # urlsplit silently drops tabs and line breaks
        return False
    try:
        parts = urlsplit(text)
        is_name = re.fullmatch(_HOST, parts.hostname or "") is not None
        return text.lower().startswith(_KNOWN) and is_name and parts.port != 0
    except ValueError:
        return False
