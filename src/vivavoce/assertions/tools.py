"""Checks on tools: one was called, one gave this result."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from vivavoce.assertions.differences import Difference, check_patterns, describe, mismatches
from vivavoce.assertions.tool_calls import (
    CallSeen,
    Name,
    arguments_of,
    called_instead,
    calls_seen,
    in_turns,
    named,
    recounted,
)
from vivavoce.assertions.unread_calls import not_for_sure, spelt_alike, unnamed, unread
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import quote, times


class ToolCalled(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool of this name (any of these names) was called, with at least these arguments."""

    name: Name | Annotated[list[Name], Meta(min_length=1)]
    arguments: JsonObject | UnsetType = UNSET
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"
    doubted_by: ClassVar[Sight] = "nothing"

    def __post_init__(self) -> None:
        check_patterns(self.arguments)

    @property
    def looks_inside(self) -> bool:
        return self.arguments is not UNSET

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls = calls_seen(evidence)
        names = [self.name] if isinstance(self.name, str) else self.name
        found = [seen for seen in calls if any(seen.call.is_named(name) for name in names)]
        doubtful = [*unnamed(calls), *spelt_alike(names, calls), *([] if self.arguments is UNSET else unread(found))]
        return not_for_sure(self._judge(names, found, calls, evidence), doubtful, evidence)

    def _judge(self, names: list[str], found: list[CallSeen], calls: list[CallSeen], evidence: Evidence) -> Verdict:
        wanted = " or ".join(names)
        if not found:
            actual = [seen.call.name for seen in calls]
            reason = f"{wanted} was not called ({called_instead(calls)})"
            return failed(reason, expected=self._expected(), actual=actual)
        if self.arguments is UNSET:
            return passed(f"{wanted} called {times(len(found))}{in_turns(found, evidence)}")
        tried = [(seen, mismatches(self.arguments, arguments_of(seen.call))) for seen in found]
        nearest, diff = min(tried, key=lambda pair: len(pair[1]))
        if not diff:
            return passed(f"{wanted} called with {quote(self.arguments)}{in_turns([nearest], evidence)}")
        words = f"{wanted} called {times(len(found))}{in_turns(found, evidence)}, never with {quote(self.arguments)}"
        # The same shape on both sides, so that a diff shows only the arguments that differ.
        return _missed(words, nearest, diff, evidence, expected=self.arguments, actual=arguments_of(nearest.call))

    def _expected(self) -> JsonValue:
        return self.name if self.arguments is UNSET else {"name": self.name, "arguments": self.arguments}


class ToolResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Some call of the tool ran without error, and its result holds at least this."""

    tool: Name
    result: JsonValue | UnsetType = UNSET
    judges_output: ClassVar[bool] = False
    looks_inside: ClassVar[bool] = True
    judges: ClassVar[Sight] = "call"
    doubted_by: ClassVar[Sight] = "nothing"

    def __post_init__(self) -> None:
        check_patterns(self.result)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls = calls_seen(evidence)
        doubtful = [*unnamed(calls), *spelt_alike([self.tool], calls)]
        return not_for_sure(self._judge(named(self.tool, calls), calls, evidence), doubtful, evidence)

    def _judge(self, found: list[CallSeen], calls: list[CallSeen], evidence: Evidence) -> Verdict:
        if not found:
            reason = f"{self.tool} was not called ({called_instead(calls)})"
            return failed(reason, expected=self._expected(), actual=[seen.call.name for seen in calls])
        tried = [(seen, self._differences(seen)) for seen in found]
        nearest, diff = min(tried, key=lambda pair: len(pair[1]))
        if not diff:
            return passed(f"{self.tool} returned {quote(nearest.call.result)}{in_turns([nearest], evidence)}")
        wanted = "ran without error" if self.result is UNSET else f"returned {quote(self.result)}"
        words = f"{self.tool} called {times(len(found))}{in_turns(found, evidence)}, never {wanted}"
        expected = "a result without error" if self.result is UNSET else self.result
        return _missed(words, nearest, diff, evidence, expected=expected, actual=_outcome_of(nearest))

    def _differences(self, seen: CallSeen) -> list[Difference]:
        call = seen.call
        if call.error is not None:
            return [{"path": "error", "expected": None, "actual": call.error}]
        if call.result is UNSET:
            return [{"path": "result"} if self.result is UNSET else {"path": "result", "expected": self.result}]
        return [] if self.result is UNSET else mismatches(self.result, call.result)

    def _expected(self) -> JsonValue:
        return self.tool if self.result is UNSET else {"tool": self.tool, "result": self.result}


def _outcome_of(seen: CallSeen) -> JsonValue:
    return seen.call.result if seen.call.error is None else {"error": seen.call.error}


def _missed(
    words: str, nearest: CallSeen, diff: list[Difference], evidence: Evidence, *, expected: JsonValue, actual: JsonValue
) -> Verdict:
    differed = "; ".join(_describe(difference) for difference in diff[:3])
    place = in_turns([nearest], evidence)
    return failed(
        f"{words}; nearest{place}: {differed}",
        expected=expected,
        actual=actual,
        nearest=recounted(nearest),
        diff=diff,
    )


def _describe(difference: Difference) -> str:
    if difference["path"] == "error":
        return f"it failed with {quote(difference['actual'])}"
    if difference["path"] == "result" and "actual" not in difference:
        return "no result was seen"
    return describe(difference, "the result")
