"""What the page's server and the process of a conversation tell each other: JSON, each message after its length."""

import asyncio
from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder

from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import Content

_LENGTH_BYTES = 4
_LONGEST = 256 * 1024 * 1024

AnswerKind: TypeAlias = Literal["approve", "decline", "cancel", "words"]


# ── from the page ───────────────────────────────────────────────────────────────────


class GivenAnswer(Struct, frozen=True):
    """A person's answer to one open interrupt."""

    id: str
    """Of the interrupt."""
    kind: AnswerKind
    text: str = ""
    """With `words`: the words, or JSON."""


class Say(Struct, frozen=True, tag="say"):
    """The next line, or the answers to all open interrupts."""

    content: Content = ""
    answers: tuple[GivenAnswer, ...] = ()


class End(Struct, frozen=True, tag="end"):
    """The conversation is over, also in the middle of an answer."""


ToAgent: TypeAlias = Say | End


# ── from the conversation ───────────────────────────────────────────────────────────


class Opened(Struct, frozen=True, tag="opened"):
    """The agent can be spoken to."""

    timeout_s: float


class Answering(Struct, frozen=True, tag="answering"):
    """A line was sent."""

    input: JsonValue
    resume: JsonValue = None


class SoFar(Struct, frozen=True, tag="so_far"):
    """What was seen of the answer by now."""

    reply: Raw


class Answered(Struct, frozen=True, tag="answered"):
    turn: Raw
    """The Turn, as data."""
    row: Raw
    """The same as a row of a result file, which the page can show."""


class Unanswered(Struct, frozen=True, tag="unanswered"):
    """A line that got no answer. It is not part of the conversation."""

    row: Raw
    why: str


class Closed(Struct, frozen=True, tag="closed"):
    """The conversation ended, or could not be opened."""

    problem: str = ""


FromAgent: TypeAlias = Opened | Answering | SoFar | Answered | Unanswered | Closed

T = TypeVar("T")
_to_agent: Decoder[ToAgent] = Decoder(ToAgent)
_from_agent: Decoder[FromAgent] = Decoder(FromAgent)


async def read_to_agent(reader: asyncio.StreamReader) -> ToAgent | None:
    """The next message to the agent; None when the other side is gone, or says something that is no message."""
    return await _read(reader, _to_agent)


async def read_from_agent(reader: asyncio.StreamReader) -> FromAgent | None:
    """The next message of the conversation; None when its process is gone, or says something that is no message."""
    return await _read(reader, _from_agent)


async def _read(reader: asyncio.StreamReader, decoder: Decoder[T]) -> T | None:
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES))
        return decoder.decode(await reader.readexactly(length)) if length <= _LONGEST else None
    except (asyncio.IncompleteReadError, ConnectionError, msgspec.MsgspecError):
        return None


def frame(message: Struct) -> bytes:
    body = msgspec.json.encode(message)
    return len(body).to_bytes(_LENGTH_BYTES) + body
