"""The AssertBlock's text rules: what the agent's words must, and must not, match."""

from typing import ClassVar

from msgspec import UNSET, Struct

from vivavoce.assertions.inner_texts import inner_texts
from vivavoce.assertions.off_loop import sized
from vivavoce.model.json_value import JsonValue, text_of
from vivavoce.model.transcript import Turn
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.patterns import compile_pattern, refuse_bad_pattern
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import around, kept, quote, slashed


class MustMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pattern is found in the final text of the turn; over several turns, in that of any of them."""

    value: str
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"

    def __post_init__(self) -> None:
        refuse_bad_pattern(self.value)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        texts = _final_texts(evidence)
        for text in texts:
            if await _search(self.value, text) is not None:
                return passed(f"text matches {slashed(self.value)}")
        seen = f"text of turn {evidence.turns[-1].number} is" if len(texts) > 1 else "text is"
        subject = "no turn's text matches" if len(texts) > 1 else "text does not match"
        reason = f"{subject} {slashed(self.value)}: {seen} {quote(texts[-1])}"
        # Only a negated rule asks for earlier messages and what stands inside structured output.
        others = [*_all_texts(evidence), *_inner_texts(evidence)]
        inside = [text for _, text in others if await _search(self.value, text) is not None]
        reason = f"{reason}; something else that was said does: {quote(inside[0])}" if inside else reason
        return failed(reason, expected=self.value, actual=kept(texts[-1]), negatable=not inside)


class MustNotMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pattern is found nowhere in what the agent said."""

    value: str
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "words"

    def __post_init__(self) -> None:
        refuse_bad_pattern(self.value)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        pieces = _all_texts(evidence)
        if len(pieces) > 1:
            # A pattern may reach from one message into the next.
            pieces.append(("", "\n".join(text for _, text in pieces)))
        for place, text in [*pieces, *_inner_texts(evidence)]:
            found = await _search(self.value, text)
            if found is not None:
                met = around(text, found.start(), found.end())
                where = f" ({place})" if place and len(evidence.turns) > 1 else ""
                reason = f"text matches {slashed(self.value)}: {met}{where}"
                return failed(reason, expected={"never": self.value}, actual=kept(text))
        return passed(f"text does not match {slashed(self.value)}")


async def _search(pattern: str, text: str) -> JsonValue:
    return await sized(len(text), compile_pattern(pattern).search, text)


def _final_texts(evidence: Evidence) -> list[str]:
    if evidence.scope == "checkpoint":
        return [text_of(evidence.output)]
    return [_final_text(turn) for turn in evidence.turns] or [""]


def _all_texts(evidence: Evidence) -> list[tuple[str, str]]:
    """Every text of the scope, with the turn it belongs to."""
    texts = [(f"turn {turn.number}", text) for turn in evidence.turns for text in _texts_of(turn)]
    return [*texts, ("", text_of(evidence.output))] if evidence.scope == "checkpoint" else texts


def _texts_of(turn: Turn) -> tuple[str, ...]:
    reply = turn.reply
    texts = reply.texts or (_final_text(turn),)
    # Data beside words was said as well.
    return texts if reply.data is UNSET or not reply.text else (*texts, text_of(reply.data))


def _inner_texts(evidence: Evidence) -> list[tuple[str, str]]:
    """The texts inside structured output, with the turn each belongs to."""
    outputs = [(f"turn {turn.number}", turn.reply.output) for turn in evidence.turns]
    if evidence.scope == "checkpoint":
        outputs.append(("", evidence.output))
    return [(place, text) for place, output in outputs for text in inner_texts(output)]


def _final_text(turn: Turn) -> str:
    """An agent that answers with data only has said that data."""
    return turn.reply.text or text_of(turn.reply.output)
