"""One request through the proxy."""

from collections.abc import Mapping

from msgspec import Struct

from vivavoce.sight.proxy.providers import Provider


class Call(Struct, frozen=True, kw_only=True):
    """A request of the agent."""

    provider: Provider
    method: str
    path: str
    """After the provider's prefix: `/v1/chat/completions`."""
    query: str = ""
    headers: Mapping[str, str] = {}
    """As they came, names in lower case."""
    body: bytes = b""
    at_ms: float = 0.0
