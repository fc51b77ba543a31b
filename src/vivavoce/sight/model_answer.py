"""The answer of a model provider as it came, and how it is read."""

from collections.abc import AsyncIterator

from msgspec import Struct

from vivavoce.errors import CallFailed
from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter
from vivavoce.protocols import ModelReply
from vivavoce.sight.dialects.dialect import Dialect


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


async def read_answer(dialect: Dialect, answer: Answer) -> ModelReply:
    """Reads the answer of a model, whole or streamed. Raises CallFailed."""
    if not answer.is_whole:
        raise CallFailed("the answer was not read to its end", fault="target")
    return await dialect.stream(_events(answer.body)) if answer.is_stream else dialect.whole(answer.body)


async def _events(body: bytes) -> AsyncIterator[bytes]:
    splitter = SseSplitter()
    try:
        found = splitter.feed(body)
    except FrameTooLarge as error:
        raise CallFailed(f"the stream sent {error}", fault="target") from None
    for data in found:
        yield data
    if last := splitter.rest():
        yield last
