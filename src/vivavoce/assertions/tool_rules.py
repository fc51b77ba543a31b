"""The AssertBlock's tool rules: forbidden tools, required calls, forbidden calls."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from vivavoce.assertions.call_filter import CallFilter, Wanted, nearest_miss, patterns_of
from vivavoce.assertions.inner_texts import inner_texts
from vivavoce.assertions.tool_calls import (
    CallSeen,
    Name,
    answers_of,
    called_instead,
    calls_seen,
    in_turns,
    matchable,
    named,
    recounted,
)
from vivavoce.assertions.unread_calls import in_doubt, not_for_sure, spelt_alike, undecided, unnamed
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import ToolCall
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.patterns import compile_pattern
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import around, slashed, times

Natural = Annotated[int, Meta(ge=0)]


class ForbidTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tool is never called."""

    name: Name
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"
    doubted_by: ClassVar[Sight] = "call"
    is_never_outvoted: ClassVar[bool] = True

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls = calls_seen(evidence)
        if found := named(self.name, calls):
            return _forbidden(self.name, "", found, evidence, expected=self.name)
        if calls and (doubtful := [*unnamed(calls), *spelt_alike([self.name], calls)]):
            return undecided(f"{self.name} was called", doubtful, evidence)
        return passed(f"{self.name} was not called")


class ForbidCalls(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tool is never called with such arguments, nor with such a result."""

    name: Name
    args_match: Wanted = {}
    result_match: str | None = None
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"
    doubted_by: ClassVar[Sight] = "call"
    is_never_outvoted: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._filter.check_patterns()

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        selects, calls = self._filter, calls_seen(evidence)
        narrowed = selects.described()
        if found := [seen for seen in named(self.name, calls) if selects.takes(seen.call)]:
            return _forbidden(self.name, narrowed, found, evidence, expected=_said(self))
        if doubtful := in_doubt(self.name, selects, calls):
            return undecided(f"{self.name}{narrowed} was called", doubtful, evidence)
        return passed(f"{self.name}{narrowed} was not called")

    @property
    def looks_inside(self) -> bool:
        return bool(self.args_match) or self.result_match is not None

    @property
    def _filter(self) -> CallFilter:
        return CallFilter(args_match=patterns_of(self.args_match), result_match=self.result_match, in_values=True)


class Count(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How often: exactly, or between. At least once unless `exact: 0` or `min: 0` says otherwise."""

    exact: Natural | None = None
    min: Natural | None = None
    max: Natural | None = None

    def __post_init__(self) -> None:
        if self.exact is not None and (self.min is not None or self.max is not None):
            raise ValueError("count: write either `exact` or `min` / `max`")
        if self.max is not None and self.lowest > self.max:
            hint = "; to allow none write `exact: 0`" if self.max == 0 else ""
            raise ValueError(f"count: at least {self.lowest} and at most {self.max} can never both hold{hint}")

    @property
    def lowest(self) -> int:
        if self.exact is not None:
            return self.exact
        return 1 if self.min is None else self.min

    def holds(self, number: int) -> bool:
        highest = self.max if self.exact is None else self.exact
        return number >= self.lowest and (highest is None or number <= highest)

    def __str__(self) -> str:
        if self.exact is not None:
            return f"exactly {self.exact}"
        return f"at least {self.lowest}" + ("" if self.max is None else f" and at most {self.max}")


class RequireTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The calls that `name`, arguments and result select are as many as wanted, and each comes after another tool."""

    name: Name
    count: Count = Count()
    args_match: Wanted = {}
    args_not_match: Wanted = {}
    result_match: str | None = None
    result_not_match: str | None = None
    after: Name | None = None
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"

    def __post_init__(self) -> None:
        self._filter.check_patterns()
        if self.result_not_match is not None:
            compile_pattern(self.result_not_match)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls = calls_seen(evidence)
        candidates = named(self.name, calls)
        selects = self._filter
        selected = [seen for seen in candidates if selects.takes(seen.call)]
        verdict = (
            self._wrong_result(candidates, evidence)
            or (None if self.count.holds(len(selected)) else self._wrong_count(selected, candidates, calls, evidence))
            or self._wrong_order(selected, calls, evidence)
            or passed(f"{self.name}{selects.described()} called {times(len(selected))}{in_turns(selected, evidence)}")
        )
        doubtful = in_doubt(self.name, selects, calls)
        return self._doubted(verdict, len(selected), doubtful, evidence) if doubtful else verdict

    @property
    def _filter(self) -> CallFilter:
        return CallFilter(
            args_match=patterns_of(self.args_match),
            args_not_match=patterns_of(self.args_not_match),
            result_match=self.result_match,
            in_values=self.count.lowest == 0 and not self.count.holds(1),
        )

    @property
    def looks_inside(self) -> bool:
        return bool(self.args_match or self.args_not_match or self.result_match or self.result_not_match)

    @property
    def is_never_outvoted(self) -> bool:
        """Wanting no call at all is forbidding it."""
        return self.count.holds(0) and not self.count.holds(1)

    @property
    def doubted_by(self) -> Sight:
        """One more call could be one too many, come too early, or have the wrong result."""
        limited = self.count.exact is not None or self.count.max is not None
        return "call" if limited or self.after is not None or self.result_not_match is not None else "nothing"

    def _doubted(self, verdict: Verdict, sure: int, doubtful: list[CallSeen], evidence: Evidence) -> Verdict:
        """Returns a broken verdict when the doubtful calls could change the result either way."""
        at_most = sure + len(doubtful)
        if verdict.passed:
            holds = self.count.holds(at_most) and self.result_not_match is None and self.after is None
        else:
            # Unreadable arguments match no `args_match`; whether they match an `args_not_match` is unknown.
            excluding = bool(self.args_not_match) and not self.args_match
            holds = not excluding or not sure < self.count.lowest <= at_most
        if holds:
            return not_for_sure(verdict, doubtful, evidence)
        what = f"{self.name}{self._filter.described()} was called as wanted ({self.count})"
        return undecided(what, doubtful, evidence)

    def _wrong_result(self, candidates: list[CallSeen], evidence: Evidence) -> Verdict | None:
        """No call with these arguments may have such a result, however many others are fine."""
        if self.result_not_match is None:
            return None
        pattern = compile_pattern(self.result_not_match)
        for seen in candidates:
            if not self._filter.takes_arguments(seen.call):
                continue
            for text in _texts_of_answers(seen.call):
                found = pattern.search(text)
                if found is None:
                    continue
                met = around(text, found.start(), found.end())
                place = in_turns([seen], evidence)
                return failed(
                    f"result of {self.name} matches {slashed(self.result_not_match)}: {met}{place}",
                    expected=_said(self),
                    actual=met,
                    wrong_call=recounted(seen),
                    diff=[{"path": "result", "not_expected": slashed(self.result_not_match), "actual": met}],
                )
        return None

    def _wrong_count(
        self, selected: list[CallSeen], candidates: list[CallSeen], calls: list[CallSeen], evidence: Evidence
    ) -> Verdict:
        narrowed = f"{self.name}{self._filter.described()}"
        if not candidates:
            reason = f"{self.name} was not called, wanted {self.count} ({called_instead(calls)})"
            return failed(reason, expected=_said(self), actual=[seen.call.name for seen in calls])
        reason = f"{narrowed} called {times(len(selected))}, wanted {self.count}{in_turns(selected, evidence)}"
        details: JsonObject = {"calls": [recounted(seen) for seen in candidates[:20]]}
        if len(selected) < self.count.lowest and (miss := nearest_miss(self._filter, candidates)) is not None:
            reason += f"; nearest{in_turns([miss.seen], evidence)}: {miss.describe()}"
            details = {"nearest": recounted(miss.seen), "diff": miss.diff}
        return failed(reason, expected=_said(self), actual=len(selected), **details)

    def _wrong_order(self, selected: list[CallSeen], calls: list[CallSeen], evidence: Evidence) -> Verdict | None:
        if self.after is None:
            return None
        first = next((seen.place for seen in named(self.after, calls)), len(calls))
        early = [seen for seen in selected if seen.place <= first]
        if not early:
            return None
        order = " → ".join(seen.call.name for seen in calls[:12]) + (" → …" if len(calls) > 12 else "")
        why = f"before {self.after}" if first < len(calls) else f"but {self.after} was not called"
        reason = f"{self.name} called {why}{in_turns(early, evidence)}, wanted after it; order: {order}"
        return failed(
            reason, expected=_said(self), actual=[seen.call.name for seen in calls], wrong_call=recounted(early[0])
        )


def _forbidden(name: str, how: str, found: list[CallSeen], evidence: Evidence, *, expected: JsonValue) -> Verdict:
    others = sorted({seen.call.name for seen in found} - {name})
    alias = f" as {', '.join(others)}" if others else ""
    reason = f"{name}{how} called {times(len(found))}{alias}, forbidden{in_turns(found, evidence)}"
    return failed(reason, expected={"never": expected}, actual=len(found), wrong_call=recounted(found[0]))


def _texts_of_answers(call: ToolCall) -> Iterator[str]:
    """Yields the texts that a pattern is searched in: each answer as a whole, then the values inside it."""
    for told in answers_of(call):
        yield matchable(told)
        yield from inner_texts(told)


def _said(rule: Struct) -> JsonValue:
    return {key: value for key, value in msgspec.to_builtins(rule).items() if value not in (None, {})}
