"""Streams kept on disk, byte for byte and with their arrival times, so that they can be played back."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.model.message import Unread
from vivavoce.project.redaction import MASK, Secrets
from vivavoce.targets.ag_ui.exchange import Answer, Exchange
from vivavoce.targets.http_exchange import ConnectionBroken
from vivavoce.targets.recording_folder import RecordingFolder

_SECRET_HEADERS = frozenset({"set-cookie", "authorization", "proxy-authenticate", "www-authenticate"})

STRUCK_OUT = Unread("a secret was said here, which a recording does not keep", "the recording")
"""Stands in a reply from which a secret was struck out: later checks that it could fail are in doubt."""


class AgentRunMeta(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of one recorded answer besides its bytes."""

    case_id: str = ""
    url: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    request_headers: tuple[tuple[str, str], ...] = ()
    request_sent_unix_ms: float = 0.0
    duration_ms: float = 0.0
    read_error: str | None = None
    struck: bool = False
    """Whether a secret was struck out of the answer."""
    chunks_ms_len: tuple[tuple[float, int], ...] = ()
    """When each chunk arrived after the request was sent, and how long it was."""


class RecordingWriter:
    """The runs of one conversation: `01.sse`, `01.request.json`, `01.meta.json`, … below the case's folder."""

    def __init__(self, root: Path, case_id: str, url: str, request_headers: Sequence[str], secrets: Secrets) -> None:
        self._case_id = case_id
        self._url = url
        self._request_headers = tuple((name, MASK) for name in request_headers)
        self._secrets = secrets
        self._folder = RecordingFolder(root, case_id)
        self._runs = 0

    def write(self, body: bytes, answer: "_Tape") -> None:
        """Secrets are overwritten in place, so the lengths of the chunks stay true. Raises CallFailed."""
        self._runs += 1
        stem = f"{self._runs:02}"
        came, masked = b"".join(answer.pieces), self._secrets.overwritten
        kept = masked(came)
        meta = AgentRunMeta(
            case_id=self._case_id,
            url=self._secrets.mask(self._url),
            status=answer.status,
            headers=tuple(_shown(answer.headers, self._secrets)),
            request_headers=self._request_headers,
            request_sent_unix_ms=answer.sent_unix_ms,
            duration_ms=answer.elapsed_ms(),
            read_error=answer.read_error,
            struck=kept != came,
            chunks_ms_len=tuple(answer.arrivals),
        )
        parts = {"sse": kept, "request.json": masked(body)}
        parts["meta.json"] = msgspec.json.format(msgspec.json.encode(meta), indent=1)
        for suffix, content in parts.items():
            self._folder.write(f"{stem}.{suffix}", content)

    def close(self) -> None:
        """The newest recording of a case replaces the last one. Raises CallFailed."""
        self._folder.close()


class RecordingExchange:
    """Passes everything on and keeps a copy."""

    def __init__(self, inner: Exchange, writer: RecordingWriter) -> None:
        self._inner = inner
        self._writer = writer

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncGenerator[Answer]:
        tape = _Tape()
        async with self._inner.post(body) as answer:
            tape.start(answer)
            try:
                yield tape
            finally:
                self._writer.write(body, tape)

    async def close(self) -> None:
        self._writer.close()
        await self._inner.close()


class _Tape:
    """An answer that remembers what it gave away."""

    def __init__(self) -> None:
        self.sent_unix_ms = time.time() * 1000
        self._sent = time.perf_counter()
        self._answer: Answer | None = None
        self.pieces: list[bytes] = []
        self.arrivals: list[tuple[float, int]] = []
        self.read_error: str | None = None

    def start(self, answer: Answer) -> None:
        self._answer = answer

    @property
    def status(self) -> int:
        return self._answer.status if self._answer else 0

    @property
    def headers(self) -> Mapping[str, str]:
        return self._answer.headers if self._answer else {}

    def elapsed_ms(self) -> float:
        return round((time.perf_counter() - self._sent) * 1000, 2)

    @property
    def is_complete(self) -> bool:
        return self._answer is not None and self._answer.is_complete

    def chunks(self) -> AsyncIterator[bytes]:
        return self._recorded()

    async def _recorded(self) -> AsyncGenerator[bytes]:
        assert self._answer is not None
        try:
            async for chunk in self._answer.chunks():
                self.pieces.append(chunk)
                self.arrivals.append((self.elapsed_ms(), len(chunk)))
                yield chunk
        except ConnectionBroken as broken:
            self.read_error = str(broken)
            raise


def _shown(headers: Mapping[str, str], secrets: Secrets) -> list[tuple[str, str]]:
    lower = [(name.lower(), value) for name, value in headers.items()]
    return [(name, MASK if name in _SECRET_HEADERS else secrets.mask(value)) for name, value in lower]
