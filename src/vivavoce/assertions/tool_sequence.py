"""The calls of a conversation as a whole: these, in this order, and perhaps no others."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from vivavoce.assertions.call_filter import CallFilter, Miss, Wanted, patterns_of
from vivavoce.assertions.differences import Difference, describe, differences
from vivavoce.assertions.tool_calls import CallSeen, Name, calls_seen, in_turns, read_arguments, recounted
from vivavoce.assertions.unread_calls import undecided, unnamed
from vivavoce.model.json_value import JsonObject
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.plurals import first_few
from vivavoce.wording.results import call_words

Order: TypeAlias = Literal["exact", "in_order", "any_order"]


class Step(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One call of the sequence."""

    name: Name
    args: JsonObject | UnsetType = UNSET
    """Exactly these arguments, no more and no fewer."""
    args_match: Wanted = {}
    """Patterns for some of its arguments."""

    def fits(self, seen: CallSeen) -> bool:
        return seen.call.is_named(self.name) and self.filter.takes(seen.call) and not self._other_arguments(seen)

    def problem(self, seen: CallSeen) -> str:
        """Returns why the arguments of a call do not fit; empty when they do."""
        words = [describe(one, "its arguments") for one in self._other_arguments(seen)[:3]]
        if missed := list(self.filter.differences(seen.call)):
            words.append(Miss(seen, missed).describe())
        return "; ".join(words)

    def _other_arguments(self, seen: CallSeen) -> list[Difference]:
        return [] if self.args is UNSET else differences(self.args, read_arguments(seen.call))

    def may_be(self, seen: CallSeen) -> bool:
        """Whether this is unknown: the call has no name, or its arguments matter and cannot be read."""
        if not seen.call.name:
            return True
        asks = self.args is not UNSET or bool(self.args_match)
        return asks and seen.call.is_named(self.name) and read_arguments(seen.call) is None

    @property
    def filter(self) -> CallFilter:
        return CallFilter(args_match=patterns_of(self.args_match))

    def __str__(self) -> str:
        return self.name if self.args is UNSET else call_words(self.name, self.args)


class ToolSequence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The tools are called in this sequence.

    `exact`: these calls and no others. `in_order`: these in this order, others may stand between them. `any_order`:
    each of these, in whatever order, others beside them.
    """

    calls: Annotated[list[Name | Step], Meta(min_length=1)]
    match: Order = "exact"
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"

    def __post_init__(self) -> None:
        for step in self._steps:
            step.filter.check_patterns()

    @property
    def doubted_by(self) -> Sight:
        """One more call is one too many when no others may be made."""
        return "call" if self.match == "exact" else "nothing"

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls, steps = calls_seen(evidence), self._steps
        doubtful = [seen for seen in calls if any(step.may_be(seen) for step in steps)]
        if doubtful or unnamed(calls):
            return undecided("the tools were called in this sequence", doubtful or unnamed(calls), evidence)
        missing = self._problem(steps, calls, evidence)
        if missing is None:
            return passed(f"tools called as wanted: {_listed([seen.call.name for seen in calls])}")
        return failed(
            missing,
            expected=_in_lines(_wanted_lines(steps, calls)),
            actual=_in_lines([_line_of(seen) for seen in calls]),
            calls=[recounted(seen) for seen in calls[:20]],
        )

    def _problem(self, steps: list[Step], calls: list[CallSeen], evidence: Evidence) -> str | None:
        if self.match == "exact":
            return _not_exact(steps, calls, evidence)
        if self.match == "in_order":
            return _not_in_order(steps, calls)
        return _not_any_order(steps, calls)

    @property
    def _steps(self) -> list[Step]:
        return [Step(name=entry) if isinstance(entry, str) else entry for entry in self.calls]


def _not_exact(steps: list[Step], calls: list[CallSeen], evidence: Evidence) -> str | None:
    for place, step in enumerate(steps):
        if place >= len(calls):
            return f"call {place + 1} was missing, wanted {step} (called: {_names(calls)})"
        seen = calls[place]
        here = f"call {place + 1}{in_turns([seen], evidence)}"
        if not seen.call.is_named(step.name):
            return f"{here} was {seen.call.name}, wanted {step} (called: {_names(calls)})"
        if problem := step.problem(seen):
            return f"{here}, {seen.call.name}: {problem}"
    if len(calls) > len(steps):
        return f"call {len(steps) + 1} was {calls[len(steps)].call.name}, wanted no more (called: {_names(calls)})"
    return None


def _not_in_order(steps: list[Step], calls: list[CallSeen]) -> str | None:
    rest = iter(calls)
    for place, step in enumerate(steps):
        if not any(step.fits(seen) for seen in rest):
            after = f" after {steps[place - 1]}" if place else ""
            return f"{step} was not called{after} (called: {_names(calls)})"
    return None


def _not_any_order(steps: list[Step], calls: list[CallSeen]) -> str | None:
    """Each step needs a call of its own: steps may give way to each other (Kuhn's matching)."""
    taken: dict[int, int] = {}

    def finds_a_call(step: int, tried: set[int]) -> bool:
        for seen in calls:
            if seen.place in tried or not steps[step].fits(seen):
                continue
            tried.add(seen.place)
            if seen.place not in taken or finds_a_call(taken[seen.place], tried):
                taken[seen.place] = step
                return True
        return False

    for place, step in enumerate(steps):
        if not finds_a_call(place, set()):
            often = sum(other == step for other in steps)
            wanted = f"{step} was not called" if often == 1 else f"{step} was called fewer than {often} times"
            return f"{wanted} (called: {_names(calls)})"
    return None


def _wanted_lines(steps: list[Step], calls: list[CallSeen]) -> list[str]:
    """The steps as lines; one that a call fits reads like that call, so that a difference shows only the others."""
    lines: list[str] = []
    left = list(calls)
    for step in steps:
        fitting = next((place for place, seen in enumerate(left) if step.fits(seen)), None)
        lines.append(_step_line(step, left) if fitting is None else _line_of(left.pop(fitting)))
    return lines


def _step_line(step: Step, calls: list[CallSeen]) -> str:
    """The step with its arguments in the order of the first call of that tool: only values differ then, not places."""
    seen = next((seen for seen in calls if seen.call.is_named(step.name)), None)
    if step.args is UNSET:
        return f"{step}{step.filter.described()}"
    if seen is None:
        return str(step)
    order = [name for name in read_arguments(seen.call) or {} if name in step.args]
    return call_words(step.name, {name: step.args[name] for name in dict.fromkeys([*order, *step.args])})


def _in_lines(calls: list[str]) -> str:
    """One call a line, as text: as JSON each quotation mark in its arguments would get a backslash."""
    return "\n  ".join(["calls:", *(calls or ["(none)"])])


def _line_of(seen: CallSeen) -> str:
    return str(Step(name=seen.call.name, args=read_arguments(seen.call) or {}))


def _names(calls: list[CallSeen]) -> str:
    return _listed([seen.call.name for seen in calls]) or "nothing"


def _listed(names: list[str]) -> str:
    return first_few(names, 12)
