"""Checks on values: equal, at a path, of a type."""

from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from vivavoce.assertions.clear_json import clear_whole_json
from vivavoce.assertions.differences import describe, differences
from vivavoce.assertions.lookup import Part, part_at
from vivavoce.model.json_value import (
    JsonObject,
    JsonValue,
    is_array,
    is_nan_or_infinite,
    is_object,
    json_equal,
    json_type,
    map_texts,
)
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.json_paths import compile_path
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import kept, quote, quote_apart


class Equals(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The output is this value, or one of several, structurally."""

    value: JsonValue
    any: bool = False
    """`value` is a list, and the output is one of its values."""
    ignore_case: bool = False
    """Whether `A` and `a` are the same, in all texts inside."""
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.any and not (is_array(self.value) and self.value):
            raise ValueError("`any: true` needs a list of values")

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        output = evidence.output
        if not (self.any and is_array(self.value)):
            return self._compared(self.value, output)
        verdicts = (self._compared(one, output) for one in self.value)
        if held := next((verdict for verdict in verdicts if verdict.passed), None):
            return held
        return failed(f"output is none of {quote(self.value)}", expected=self.value, actual=kept(output))

    def _compared(self, wanted: JsonValue, output: JsonValue) -> Verdict:
        parsed = ""
        if isinstance(output, str) and (is_object(wanted) or is_array(wanted)):
            value = clear_whole_json(output)
            output, parsed = (output, "") if value is None else (value, " (parsed from the text)")
        expected = wanted
        if self.ignore_case:
            output, expected = map_texts(output, str.casefold), map_texts(expected, str.casefold)
        if json_equal(output, expected):
            return passed(f"output equals the expected value{parsed}")
        found = differences(expected, output)
        reason = "; ".join(describe(difference, "output") for difference in found[:3])
        return failed(f"{reason}{parsed}", expected=wanted, actual=kept(output), **_diff(found))


class JsonPath(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The value at a path is this one (or one of these); without a value, something stands there."""

    path: str
    value: JsonValue | UnsetType = UNSET
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        compile_path(self.path)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        part = await part_at(self.path, evidence)
        if part is None:
            return no_json(evidence, self.path)
        actual, notes = part.value, part.notes
        if self.value is UNSET:
            if part.values:
                return passed(f"{self.path} is {quote(actual)}", **notes)
            return failed(f"{self.path} is missing", actual=kept(evidence.output), **notes)
        if _is_wanted(self.value, part):
            return passed(f"{self.path} is {quote(actual)}", **notes)
        return failed(
            self._seen(part), expected=self.value, actual=actual, **notes, **_diff(_parting(self.value, part))
        )

    def _seen(self, part: Part) -> str:
        found, wanted = quote_apart(part.value if part.values else None, self.value)
        seen = f"is {found}" if part.values else "is missing"
        one_of = is_array(self.value) and not is_array(part.value)
        return f"{self.path} {seen}, wanted {'one of ' if one_of else ''}{wanted}"


class JsonType(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The output, or what stands at the path, has this JSON type."""

    value: Literal["string", "number", "boolean", "object", "array", "null"]
    path: str | None = None
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.path is not None:
            compile_path(self.path)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        judged, name, notes = evidence.output, "output", JsonObject()
        if self.path is not None:
            part = await part_at(self.path, evidence)
            if part is None:
                return no_json(evidence, self.path)
            judged, name, notes = part.value, self.path, part.notes
        seen = json_type(judged)
        if is_nan_or_infinite(judged):
            return failed(f"{name} is {judged}, which is no JSON number", expected=self.value, negatable=False)
        reason = f"{name} is {_with_article(seen)}"
        if seen == self.value:
            return passed(reason, **notes)
        return failed(f"{reason}, wanted {_with_article(self.value)}", expected=self.value, actual=seen, **notes)


def no_json(evidence: Evidence, path: str) -> Verdict:
    """There is nothing a path could be looked up in: a failure, negated or not."""
    seen = f"no JSON in the output to look up {path}: {quote(evidence.output)}"
    return failed(seen, actual=kept(evidence.output), negatable=False)


def _is_wanted(wanted: JsonValue, part: Part) -> bool:
    actual = part.value
    if json_equal(actual, wanted):
        return True
    if not is_array(wanted):
        return False
    if not part.leads_to_one and json_equal(part.values, wanted):
        return True
    return not is_array(actual) and any(json_equal(actual, one) for one in wanted)


def _parting(wanted: JsonValue, part: Part) -> list[JsonObject]:
    if is_array(wanted) and not is_array(part.value):
        return []
    return differences(wanted, part.value)


def _diff(found: list[JsonObject]) -> JsonObject:
    """Worth keeping only where it says more than expected and actual do."""
    return {"diff": found} if any(difference["path"] for difference in found) else {}


def _with_article(name: str) -> str:
    if name == "null":
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
