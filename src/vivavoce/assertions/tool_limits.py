"""Rules about all the tools of a conversation: only these, at most so many calls."""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from vivavoce.assertions.tool_calls import Name, called_instead, calls_seen, in_turns, recounted
from vivavoce.assertions.unread_calls import undecided, unnamed
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import times


class OnlyTools(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No other tool than these is called; none at all when the list is empty."""

    names: list[Name]
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"
    doubted_by: ClassVar[Sight] = "call"
    is_never_outvoted: ClassVar[bool] = True

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls = calls_seen(evidence)
        others = [seen for seen in calls if seen.call.name and not any(map(seen.call.is_named, self.names))]
        allowed = ", ".join(self.names) or "no tool"
        if others:
            listed = ", ".join(dict.fromkeys(seen.call.name for seen in others))
            reason = f"{listed} called{in_turns(others, evidence)}, allowed: {allowed}"
            actual = [seen.call.name for seen in others]
            return failed(reason, expected=self.names, actual=actual, calls=[recounted(seen) for seen in others[:20]])
        if doubtful := unnamed(calls):
            return undecided(f"only {allowed} was called", doubtful, evidence)
        return passed(f"no tool was called but those allowed ({called_instead(calls)})")


class MaxCalls(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All tools together are called at most so often."""

    value: Annotated[int, Meta(ge=0)]
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"
    doubted_by: ClassVar[Sight] = "call"

    @property
    def is_never_outvoted(self) -> bool:
        """Wanting no call at all is forbidding every one."""
        return self.value == 0

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls = calls_seen(evidence)
        reason = f"tools were called {times(len(calls))}, allowed {self.value} ({called_instead(calls)})"
        if len(calls) <= self.value:
            return passed(reason)
        return failed(reason, expected=self.value, actual=len(calls), calls=[recounted(seen) for seen in calls[:20]])
