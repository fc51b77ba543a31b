"""What is kept of the answer in a turn that broke: a flood that was cut off is not written down as it came."""

import msgspec
from msgspec import structs

from vivavoce.model.message import AgentReply, Unread
from vivavoce.project.redaction import rewritten
from vivavoce.wording.quoting import KEPT, shorten

LARGEST_KEPT = 4 << 20
"""Bytes."""
_MOST_CALLS = 1_000


def kept_of(reply: AgentReply) -> AgentReply:
    """The reply, or its beginning when it has more than 4 MB. What is not kept is unread."""
    size = _size(reply)
    if size <= LARGEST_KEPT:
        return reply
    gone = Unread(f"only the beginning of {size >> 20} MB is kept", "the answer that was cut off")
    kept: AgentReply = rewritten(
        structs.replace(reply, calls=reply.calls[:_MOST_CALLS], messages=(), trace=(), texts=(), unread=()),
        lambda text: shorten(text, KEPT),
    )
    if _size(kept) > LARGEST_KEPT:
        kept = AgentReply(text=kept.text, status=kept.status, error=kept.error, usage=kept.usage)
    return structs.replace(kept, unread=(*reply.unread[:_MOST_CALLS], gone))


def _size(reply: AgentReply) -> int:
    try:
        return len(msgspec.json.encode(reply))
    except (UnicodeEncodeError, TypeError, RecursionError):
        return 0
