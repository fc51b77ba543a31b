"""One request through the proxy, and its answer."""

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


class Answer(Struct, kw_only=True):
    """The answer, or the part of it that came."""

    status: int = 0
    headers: dict[str, str] = {}
    chunks: list[tuple[float, bytes]] = []
    """Milliseconds after the request, and the piece."""
    is_whole: bool = False
    """False when the agent hung up, or the provider broke off."""

    @property
    def body(self) -> bytes:
        return b"".join(piece for _, piece in self.chunks)

    @property
    def is_stream(self) -> bool:
        return self.headers.get("content-type", "").startswith("text/event-stream")
