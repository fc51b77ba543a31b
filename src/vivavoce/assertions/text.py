"""Checks on the output's text: what it contains, matches, resembles."""

from importlib import import_module
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct, structs

from vivavoce.assertions.inner_texts import inner_texts
from vivavoce.assertions.off_loop import LARGE, sized
from vivavoce.model.json_value import JsonValue, is_array, is_object, json_type, text_of
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.notation.patterns import compile_pattern, refuse_bad_pattern
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import around, kept, quote, slashed


class Contains(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The output's text has this in it."""

    value: JsonValue
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _must_be_something(self.value)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        if text_of(self.value) in text_of(evidence.output):
            return passed(f"output contains {quote(self.value)}")
        if type(self.value) is not str and _never_in(self.value, evidence.output):
            return _one_by_one(self.value)
        reason = f"output does not contain {quote(self.value)}"
        if (inside := _inside(self.value, evidence.output)) is not None:
            # Not in the JSON text, but a negated check asks for more.
            reason = f"{reason} in its JSON text; a value inside it does: {inside}"
            return failed(reason, expected=self.value, actual=kept(evidence.output), negatable=False)
        return failed(reason, expected=self.value, actual=kept(evidence.output))


class NotContains(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The output's text does not have this in it."""

    value: JsonValue
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "words"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _must_be_something(self.value)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        text, unwanted = text_of(evidence.output), text_of(self.value)
        start = text.find(unwanted)
        if start < 0:
            if type(self.value) is not str and _never_in(self.value, evidence.output):
                return _one_by_one(self.value)
            if (met := _inside(self.value, evidence.output)) is None:
                return passed(f"output does not contain {quote(self.value)}")
            reason = f"a value inside the output contains {quote(self.value)}: {met}"
            return failed(reason, expected=self.value, actual=kept(evidence.output))
        met = around(text, start, start + len(unwanted))
        return failed(f"output contains {quote(self.value)}: {met}", expected=self.value, actual=kept(evidence.output))


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
        for inside in inner_texts(evidence.output):
            if (found := await sized(len(inside), compile_pattern(self.value).search, inside)) is not None:
                # Not in the JSON text, but a negated check asks for more.
                reason += f"; a value inside it does: {around(inside, found.start(), found.end())}"
                return failed(reason, expected=self.value, actual=kept(evidence.output), negatable=False)
        return failed(reason, expected=self.value, actual=kept(evidence.output))


class Similar(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The output's text is nearly this one: 1 is the same, 0 has nothing in common."""

    value: str
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.8
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        text = text_of(evidence.output)
        score = await sized(len(text) + len(self.value), _likeness, self.value, text, self.threshold)
        reached = score >= self.threshold
        reason = f"output is {score:.2f} like {quote(self.value)}, wanted at least {self.threshold:g}"
        verdict = passed(reason) if reached else failed(reason, expected=self.value, actual=kept(evidence.output))
        return structs.replace(verdict, score=score)


def _likeness(wanted: str, text: str, threshold: float) -> float:
    total = len(wanted) + len(text)
    best_possible = 2 * min(len(wanted), len(text)) / total if total else 1.0
    # The comparison grows with both lengths: when they alone rule it out, that is the answer.
    if total > LARGE and best_possible < threshold:
        return best_possible
    fuzz: Any = import_module("rapidfuzz.fuzz")
    ratio: float = fuzz.ratio(wanted, text, score_cutoff=threshold * 100 if total > LARGE else None)
    return ratio / 100


def _must_be_something(value: JsonValue) -> None:
    if value is None:
        raise ValueError("value: null is in no text; use `equals` or `type` to check for null")
    if value == "":
        raise ValueError("value: an empty text is in every text: it checks nothing")


def _inside(value: JsonValue, output: JsonValue) -> str | None:
    """The place where a text stands inside a value of the output, with what is around it."""
    if not isinstance(value, str):
        return None
    for text in inner_texts(output):
        if (start := text.find(value)) >= 0:
            return around(text, start, start + len(value))
    return None


def _never_in(value: JsonValue, output: JsonValue) -> bool:
    """Whether a list or object is looked for where only words are: that it is not there says nothing."""
    return (is_array(value) or is_object(value)) and not (is_array(output) or is_object(output))


def _one_by_one(value: JsonValue) -> Verdict:
    return broken(
        f"value is an {json_type(value)}, which is in no text: {quote(value)}; write one assertion per text, "
        f"or `equals` / `json_path` for an answer that is JSON"
    )
