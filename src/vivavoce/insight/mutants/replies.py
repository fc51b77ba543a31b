"""The reply emptied, cut off, replaced, or a number in it changed."""

import re
from collections.abc import Callable, Iterator

from msgspec import UNSET, structs

from vivavoce.insight.mutants.mutant import Mutant, with_reply
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Transcript

_NUMBER = re.compile(r"\d+")
ANOTHER_REPLY = "I am sorry, I cannot help you with that."
_LONGEST_SUGGESTION = 60


def reply_mutants(transcript: Transcript) -> Iterator[Mutant]:
    for turn in transcript.turns:
        text = turn.reply.text
        if not text or turn.reply.data is not UNSET:
            continue
        variants: list[tuple[str, str, str, JsonObject | None]] = [
            ("reply-emptied", "nothing is said", "", _contains(text)),
            ("reply-replaced", "another reply", ANOTHER_REPLY, _contains(text)),
        ]
        if len(text) > 1:
            half = text[: len(text) // 2]
            variants.append(("reply-cut", "the reply is cut off", half, _contains(text[len(half) :].strip() or text)))
        if found := _NUMBER.search(text):
            other = text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :]
            words = f"the number {found[0]} is another one"
            variants.append(("reply-number", words, other, {"type": "contains", "value": found[0]}))
        for kind, words, said, suggestion in variants:
            yield Mutant(
                kind=kind,
                turn=turn.number,
                element="reply",
                change=words,
                transcript=with_reply(transcript, turn.number, _saying(said)),
                suggestion=suggestion,
            )


def _saying(text: str) -> Callable[[AgentReply], AgentReply]:
    def change(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, text=text, texts=())

    return change


def _contains(text: str) -> JsonObject:
    return {"type": "contains", "value": text[-_LONGEST_SUGGESTION:].strip() or text}
