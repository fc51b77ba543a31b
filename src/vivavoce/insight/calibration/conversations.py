"""The conversations of recorded runs that people label, and the digest that identifies them."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import msgspec
from msgspec import UNSET, Struct

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.model.transcript import Transcript

_encode = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


class Conversation(Struct, frozen=True):
    """A recorded attempt in which something was said."""

    case: Case
    attempt: Attempt
    digest: str

    @property
    def key(self) -> str:
        return self.case.key


def conversations(results: Iterable[CaseResult]) -> Iterator[Conversation]:
    """Every attempt in which the agent was asked something; the same conversation may come several times."""
    for result in results:
        for attempt in result.attempts:
            if attempt.transcript.turns:
                yield Conversation(result.case, attempt, digest_of(attempt.transcript))


def digest_of(transcript: Transcript) -> str:
    """Equal for conversations with equal texts and tool calls; ids and times do not count."""
    texts: list[JsonValue] = [[message.role, message.content] for message in transcript.history]
    for turn in transcript.turns:
        calls: list[JsonObject] = []
        for call in turn.reply.calls:
            result = None if call.result is UNSET else call.result
            calls.append({"name": call.name, "args": call.args, "result": result, "error": call.error})
        texts.append([turn.line.content, calls, turn.reply.output])
    return blake2b(_encode(texts), digest_size=8).hexdigest()
