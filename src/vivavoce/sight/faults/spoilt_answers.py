"""Real answers of a model provider, spoilt by a fault on their way to the agent."""

import re

from msgspec import Struct

from vivavoce.errors import CallFailed
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.faults.bodies.shape import Spoken
from vivavoce.sight.faults.failing import STALLED_S
from vivavoce.sight.faults.made_answers import spoken_answer
from vivavoce.sight.model_answer import Answer, read_answer

_EVENT = re.compile(rb".*?(?:\r?\n){2}|.+\Z", re.DOTALL)
_NONSENSE = b'data: {"id": \n\n'


class SpoiltAnswer(Struct, frozen=True, kw_only=True):
    """What the agent gets instead of the real answer."""

    answer: Answer
    """Its pieces are sent one after the other."""
    pause_s: float = 0.0
    """The pause after the first piece."""
    is_cut: bool = False
    """Whether the connection breaks after the last piece."""


async def spoil(fault: PlannedFault, dialect: Dialect, model: str, real: Answer) -> SpoiltAnswer:
    """Returns the answer with the fault. An error of the provider stays as it is."""
    if real.status >= 300:
        return SpoiltAnswer(answer=real)
    first, rest = _halves(real)
    match fault.kind:
        case "stall":
            return SpoiltAnswer(answer=_sent(real, first, rest), pause_s=fault.seconds or STALLED_S)
        case "cut":
            return SpoiltAnswer(answer=_sent(real, first), is_cut=True)
        case "malformed":
            return SpoiltAnswer(answer=_sent(real, first, *([_NONSENSE, rest] if real.is_stream else [])))
        case "length":
            return SpoiltAnswer(answer=await _half_said(dialect, model, real))
        case _:
            return SpoiltAnswer(answer=real)


async def may_have_called(dialect: Dialect, real: Answer) -> bool:
    """Whether the agent may have called a tool after a piece of this answer. Half of a JSON object cannot be read."""
    if real.status >= 300 or not real.is_stream:
        return False
    try:
        reply = await read_answer(dialect, real)
    except CallFailed:
        return True
    return bool(reply.calls or reply.unread)


def _halves(real: Answer) -> tuple[bytes, bytes]:
    """The body in two halves; a stream is split between two events."""
    if not real.is_stream:
        middle = len(real.body) // 2
        return real.body[:middle], real.body[middle:]
    events = [found.group() for found in _EVENT.finditer(real.body)]
    middle = (len(events) + 1) // 2
    return b"".join(events[:middle]), b"".join(events[middle:])


def _sent(real: Answer, *pieces: bytes) -> Answer:
    return Answer(status=real.status, headers=real.headers, chunks=[(0.0, piece) for piece in pieces], is_whole=True)


async def _half_said(dialect: Dialect, model: str, real: Answer) -> Answer:
    try:
        text = (await read_answer(dialect, real)).text
    except CallFailed:
        text = ""
    half = Spoken(text=text[: len(text) // 2], finish="length", model=model)
    return spoken_answer(half, dialect.name, stream=real.is_stream)
