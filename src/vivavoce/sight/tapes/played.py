"""An answer at the proxy ↔ an entry of a tape."""

import base64
import codecs

from vivavoce.errors import CallFailed
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.tape_lines import Entry, Kind

_KEPT_HEADERS = ("content-type", "retry-after", "retry-after-ms", "x-request-id", "request-id")
_KEPT_PREFIXES = ("x-ratelimit-", "anthropic-ratelimit-")


def entry_of(answer: Answer, censor: Censor, *, method: str, kind: Kind) -> Entry:
    """The entry of an answer: without secrets, with its pieces and their times."""
    whole = censor.body(answer.body)
    pieces: list[tuple[float, bytes]] = []
    start = 0
    for at_ms, piece in answer.chunks:
        pieces.append((at_ms, whole[start : start + len(piece)]))
        start += len(piece)
    chunks, binary = _as_text(pieces)
    return Entry(
        case="",
        kind=kind,
        method=method,
        status=answer.status,
        headers={
            name: censor.text(value)
            for name, value in answer.headers.items()
            if name in _KEPT_HEADERS or name.startswith(_KEPT_PREFIXES)
        },
        chunks=chunks,
        binary=binary,
        aborted=not answer.is_whole,
        struck=whole != answer.body,
    )


def played(entry: Entry) -> Answer:
    """The answer of an entry. Raises CallFailed for one that is damaged."""
    try:
        pieces = [
            (at, base64.b64decode(text, validate=True) if entry.binary else text.encode()) for at, text in entry.chunks
        ]
    except ValueError as error:
        raise CallFailed(f"the tape is damaged: {error}", fault="test") from None
    return Answer(status=entry.status, headers=dict(entry.headers), chunks=pieces, is_whole=not entry.aborted)


def _as_text(pieces: list[tuple[float, bytes]]) -> tuple[list[tuple[float, str]], bool]:
    """The pieces as texts, or as base64 for bytes that are not text. A character cut in two goes to the later piece."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        texts = [(at, decoder.decode(piece)) for at, piece in pieces]
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return [(at, base64.b64encode(piece).decode()) for at, piece in pieces], True
    return texts, False
