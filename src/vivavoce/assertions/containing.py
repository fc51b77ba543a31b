"""Checks on what the output's text contains: one text, any of several, or all of them."""

from typing import ClassVar
from unicodedata import normalize

from msgspec import Struct

from vivavoce.assertions.inner_texts import inner_texts
from vivavoce.assertions.said_beside import said_beside
from vivavoce.model.json_value import JsonArray, JsonValue, is_array, is_object, json_type, text_of
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import around, kept, quote


class _Texts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is looked for, and how."""

    value: JsonValue
    any: bool = False
    """`value` is a list, and one of its texts is enough."""
    all: bool = False
    """`value` is a list, and all of its texts are meant."""
    ignore_case: bool = False
    judges: ClassVar[Sight] = "words"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (self.any or self.all):
            _must_be_something(self.value)
            return
        if self.any and self.all:
            raise ValueError("write either `any: true` or `all: true`")
        if not is_array(self.value) or not self.value:
            raise ValueError(f"`{'any' if self.any else 'all'}: true` needs a list of texts as its value")
        for one in self.value:
            _must_be_something(one)

    @property
    def wanted(self) -> JsonArray:
        return list(self.value) if self.any or self.all else [self.value]

    def cannot_be_found(self, output: JsonValue) -> Verdict | None:
        """Returns a broken verdict when a list or object is looked for in plain text, where it cannot be."""
        if is_array(output) or is_object(output):
            return None
        for one in self.wanted:
            if is_array(one) or is_object(one):
                hint = "" if self.any or self.all else "`any: true` or `all: true` for the texts of a list, or "
                return broken(
                    f"value is an {json_type(one)}, which is in no text: {quote(one)}; write {hint}"
                    f"`equals` / `json_path` for an answer that is JSON"
                )
        return None

    def is_in(self, one: JsonValue, output: JsonValue) -> bool:
        """Whether it stands in the output's text."""
        if self.ignore_case:
            return text_of(one).casefold() in text_of(output).casefold()
        return text_of(one) in text_of(output)

    def excerpt(self, one: JsonValue, output: JsonValue) -> str | None:
        """The place in the output's text where it stands, with what is around it."""
        return self._around(text_of(one), text_of(output))

    def excerpt_inside(self, one: JsonValue, output: JsonValue) -> str | None:
        """The same for a place inside a value of structured output, where JSON text writes it in another way."""
        if not isinstance(one, str):
            return None
        wanted = normalize("NFC", one)
        texts = inner_texts(output) if wanted == one else (text_of(output), *inner_texts(output))
        places = (self._around(wanted, text) for text in texts)
        return next((place for place in places if place is not None), None)

    def excerpt_beside(self, one: JsonValue, evidence: Evidence) -> str | None:
        """The same for the words beside structured output and the messages before the final one."""
        wanted = text_of(one)
        places = (self._around(wanted, text) for text in said_beside(evidence))
        return next((place for place in places if place is not None), None)

    def _around(self, wanted: str, text: str) -> str | None:
        if self.ignore_case:
            wanted, folded = wanted.casefold(), text.casefold()
            start = folded.find(wanted)
            # Folding may change the length (ß becomes ss): then places in the two texts differ.
            text = text if len(folded) == len(text) else folded
        else:
            start = text.find(wanted)
        return None if start < 0 else around(text, start, start + len(wanted))


class Contains(_Texts, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The output's text has this in it."""

    doubted_by: ClassVar[Sight] = "nothing"

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        output = evidence.output
        wanted = self.wanted
        missing = [one for one in wanted if not self.is_in(one, output)]
        if not missing:
            return passed(f"output contains {_listed(wanted)}")
        if self.any and len(missing) < len(wanted):
            return passed(f"output contains {_listed([one for one in wanted if one not in missing])}")
        if (unclear := self.cannot_be_found(output)) is not None:
            return unclear
        reason = f"output does not contain {_either(missing) if self.any else _listed(missing)}"
        # Not in the output's text, but a negated check asks for more.
        elsewhere = [told for one in missing if (told := self._elsewhere(one, evidence)) is not None]
        hidden = bool(elsewhere) and (self.any or len(elsewhere) == len(missing))
        if hidden:
            reason = f"{reason}{elsewhere[0]}"
        return failed(reason, expected=self.value, actual=kept(output), negatable=not hidden)

    def _elsewhere(self, one: JsonValue, evidence: Evidence) -> str | None:
        if (place := self.excerpt_inside(one, evidence.output)) is not None:
            return f" in its JSON text; a value inside it does: {place}"
        place = self.excerpt_beside(one, evidence)
        return None if place is None else f"; what was said beside it does: {place}"


class NotContains(_Texts, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The output's text does not have this in it: with `any` none of the texts, with `all` not all of them."""

    doubted_by: ClassVar[Sight] = "words"

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        output = evidence.output
        found: list[str] = []
        for one in self.wanted:
            if (place := self.excerpt(one, output)) is not None:
                found.append(f"output contains {quote(one)}: {place}")
            elif (place := self.excerpt_inside(one, output)) is not None:
                found.append(f"a value inside the output contains {quote(one)}: {place}")
            elif (place := self.excerpt_beside(one, evidence)) is not None:
                found.append(f"what was said beside the output contains {quote(one)}: {place}")
        if found and (not self.all or len(found) == len(self.wanted)):
            return failed("; ".join(found[:3]), expected={"never": self.value}, actual=kept(output))
        if (unclear := self.cannot_be_found(output)) is not None:
            return unclear
        return passed(f"output does not contain {_listed(self.wanted) if self.all else _either(self.wanted)}")


def _must_be_something(value: JsonValue) -> None:
    if value is None:
        raise ValueError("value: null is in no text; use `equals` or `type` to check for null")
    if value == "":
        raise ValueError("value: an empty text is in every text: it checks nothing")


def _listed(values: JsonArray) -> str:
    return " and ".join(map(quote, values))


def _either(values: JsonArray) -> str:
    return " or ".join(map(quote, values))
