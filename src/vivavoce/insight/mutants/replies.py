"""The reply emptied, cut off, replaced, swapped with that of another case, or a number in it changed."""

import random
import re
from collections.abc import Iterator

from msgspec import UNSET, structs

from vivavoce.insight.mutants.mutant import Mutant, RunPool, with_reply
from vivavoce.insight.mutants.structured import Variant, data_variants
from vivavoce.model.json_value import JsonObject, text_of
from vivavoce.model.message import AgentReply
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Transcript, Turn

_NUMBER = re.compile(r"\d+")
ANOTHER_REPLY = "I am sorry, I cannot help you with that."
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")
_LONGEST_SUGGESTION = 60
_AROUND_A_NUMBER = 20


def reply_mutants(transcript: Transcript, pool: RunPool, key: str, seed: int) -> Iterator[Mutant]:
    for turn in transcript.turns:
        reply = turn.reply
        structured = reply.data is not UNSET
        if not structured and not reply.text:
            continue
        others = _swapped(turn, pool, key, seed)
        checks = () if structured else _end_checks(reply.text)
        said = [*(data_variants(reply.data) if structured else _text_variants(reply.text)), *others]
        for variant in said:
            yield Mutant(
                kind=variant.kind,
                turn=turn.number,
                element="reply",
                change=variant.words,
                before=text_of(reply.output),
                after=text_of(variant.text if variant.data is UNSET else variant.data),
                transcript=_answering(transcript, turn, variant),
                suggestions=variant.suggestions or checks,
            )


def _text_variants(text: str) -> Iterator[Variant]:
    yield Variant(MutantKind.REPLY_EMPTIED, "nothing is said")
    yield Variant(MutantKind.REPLY_REPLACED, "another reply", ANOTHER_REPLY)
    if len(text) > 1:
        yield Variant(MutantKind.REPLY_CUT, "the reply is cut off", _first_half(text))
    if found := _NUMBER.search(text):
        changed = text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :]
        words = f"the number {found[0]} is another one"
        yield Variant(MutantKind.REPLY_NUMBER, words, changed, suggestions=_number_checks(text, found))


def _number_checks(text: str, found: re.Match[str]) -> tuple[JsonObject, ...]:
    """The number itself, or with the words before it, for a reply that has the number more than once."""
    start = _word_start(text, max(0, found.start() - _AROUND_A_NUMBER))
    near = text[start : found.end()]
    return (
        {"type": "contains", "value": found[0]},
        {"type": "contains", "value": near},
        {"type": "must_match", "value": _SPECIAL.sub(r"\\\1", near)},
    )


def _swapped(turn: Turn, pool: RunPool, key: str, seed: int) -> Iterator[Variant]:
    """The reply of another case of the run: well formed, and wrong here."""
    mine = text_of(turn.reply.output)
    others = [said for of, said in pool.replies if of != key and said != mine]
    if others:
        said = random.Random(f"{seed}:{key}:{turn.number}").choice(others)
        yield Variant(MutantKind.REPLY_SWAPPED, "the reply of another case", said)


def _answering(transcript: Transcript, turn: Turn, variant: Variant) -> Transcript:
    def change(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, text=variant.text, texts=(), data=variant.data)

    return with_reply(transcript, turn.number, change)


def _first_half(text: str) -> str:
    """Ends with a whole word where there is one."""
    half = text[: len(text) // 2]
    return half.rpartition(" ")[0] or half


def _end_checks(text: str) -> tuple[JsonObject, ...]:
    """The reply keeps its end; the second variant is for checks of a whole conversation."""
    text = text.strip() or text
    end = text[_word_start(text, max(0, len(text) - _LONGEST_SUGGESTION)) :]
    return {"type": "contains", "value": end}, {"type": "must_match", "value": _SPECIAL.sub(r"\\\1", end)}


def _word_start(text: str, at: int) -> int:
    """The start of the first whole word from here on; `at` itself when there is none."""
    space = text.find(" ", at)
    return at if at == 0 or space < 0 or space + 1 >= len(text) else space + 1
