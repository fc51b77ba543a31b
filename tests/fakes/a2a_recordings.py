"""Recorded exchanges with real A2A servers, and a caller that answers with them."""

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.targets.http_exchange import ConnectionBroken

FOLDER = Path(__file__).parents[1] / "data" / "a2a"
SERVERS = tuple(sorted(path.stem for path in FOLDER.glob("*.jsonl")))


class Recording(Struct, frozen=True, kw_only=True):
    """One request to a real server and its answer, byte for byte."""

    name: str
    method: str | None
    path: str | None
    headers: dict[str, str] | None
    asked: Any
    status: int | None
    content_type: str
    answer: str
    ended_by: str = ""
    reads: dict[str, Any] | None = None
    """What a person reads in it; None where it is no answer to a message."""

    @property
    def was_cut_off(self) -> bool:
        return "IncompleteRead" in self.ended_by


def recordings_of(server: str) -> dict[str, Recording]:
    lines = (FOLDER / f"{server}.jsonl").read_bytes().splitlines()
    return {each.name: each for line in lines for each in [msgspec.json.decode(line, type=Recording)]}


class RecordedAnswer:
    """A recorded response."""

    def __init__(self, recording: Recording, chunk_size: int = 700) -> None:
        self.status = recording.status or 0
        self.headers = {"content-type": recording.content_type}
        self._recording = recording
        self._chunk_size = chunk_size

    async def chunks(self) -> AsyncIterator[bytes]:
        body = self._recording.answer.encode()
        for start in range(0, len(body), self._chunk_size):
            yield body[start : start + self._chunk_size]
        if self._recording.was_cut_off:
            raise ConnectionBroken("Response payload is not completed")

    async def __aenter__(self) -> "RecordedAnswer":
        return self

    async def __aexit__(self, *_: object) -> None: ...


class RecordedCaller:
    """Answers the requests of a test one after the other with the recordings it was given."""

    def __init__(self, *recordings: Recording) -> None:
        self._left = list(recordings)
        self.sent: list[tuple[str, str, Any, Mapping[str, str]]] = []

    def request(
        self, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> RecordedAnswer:
        self.sent.append((method, url, None if body is None else json.loads(body), headers or {}))
        return RecordedAnswer(self._left.pop(0))
