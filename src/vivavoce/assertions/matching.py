"""Checks on the output's text: what it matches."""

from typing import ClassVar

from msgspec import Struct

from vivavoce.assertions.inner_texts import inner_texts
from vivavoce.assertions.off_loop import sized
from vivavoce.assertions.said_beside import said_beside
from vivavoce.model.json_value import text_of
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.patterns import compile_pattern, refuse_bad_pattern
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import around, kept, quote, slashed

_BESIDE = "what was said beside it"


class MatchesRegex(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pattern is found somewhere in the output's text."""

    value: str
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        refuse_bad_pattern(self.value)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        text = text_of(evidence.output)
        found = await sized(len(text), compile_pattern(self.value).search, text)
        if found is not None:
            return passed(f"output matches {slashed(self.value)}: {around(text, found.start(), found.end())}")
        reason = f"output does not match {slashed(self.value)}: {quote(text)}"
        # Not in the output's text, but a negated check asks for more.
        for texts, where in ((inner_texts(evidence.output), "a value inside it"), (said_beside(evidence), _BESIDE)):
            for said in texts:
                if (found := await sized(len(said), compile_pattern(self.value).search, said)) is not None:
                    reason += f"; {where} does: {around(said, found.start(), found.end())}"
                    return failed(reason, expected=self.value, actual=kept(evidence.output), negatable=False)
        return failed(reason, expected=self.value, actual=kept(evidence.output))
