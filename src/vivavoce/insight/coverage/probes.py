"""Conversations without one element: a check watches the element if it notices that it is missing."""

from collections.abc import Callable, Iterator
from itertools import groupby, pairwise

from msgspec import UNSET, structs

from vivavoce.insight.coverage.happenings import (
    ARROW,
    HAND_OFF_TYPES,
    answered_interrupts,
    calls_in,
    hand_off_name,
    pair_name,
)
from vivavoce.insight.coverage.known_tools import GIVEN, KnownTools, value_aspect
from vivavoce.insight.mutants.arguments import another
from vivavoce.insight.mutants.mutant import with_reply
from vivavoce.model.coverage import Element, Group
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import AgentReply, ExchangeStatus, ToolCall
from vivavoce.model.transcript import Transcript

_FAILURE = "it failed"
_ANOTHER = "another"

ChangeCall = Callable[[ToolCall], ToolCall | None]
"""Returns the call, a changed one, or None to drop it."""


def without(element: Element, transcript: Transcript, tools: KnownTools) -> Iterator[Transcript]:
    """Returns conversations without this element and otherwise unchanged.

    The element counts as checked when a check notices one of them.
    """
    match element.group:
        case Group.TOOL:
            yield _with_calls_changed(transcript, _other_outcome(element, tools))
        case Group.PARAMETER if element.aspect == GIVEN:
            yield from _without_argument(element.name, transcript, tools)
        case Group.PARAMETER:
            yield from _with_other_values(element, transcript, tools)
        case Group.PAIR:
            yield _in_other_order(element.name, transcript, tools)
        case Group.INTERRUPT:
            yield _not_stopped(element, transcript)
        case Group.CHECKPOINT:
            yield _never_reached(element.name.rpartition(" › ")[2], transcript)
        case Group.FINISH_REASON:
            yield _each_reply(transcript, lambda reply: _with_reason(reply, element.name))
        case Group.HAND_OFF:
            yield _each_reply(transcript, lambda reply: _without_hand_off(reply, element.name))


def _other_outcome(element: Element, tools: KnownTools) -> ChangeCall:
    def change(call: ToolCall) -> ToolCall | None:
        if tools.name_of(call) != element.name:
            return call
        if element.aspect == "called":
            return None
        if element.aspect == "returned" and call.is_answered and call.error is None:
            return structs.replace(call, result=UNSET, error=_FAILURE)
        if element.aspect == "failed" and call.error is not None:
            return structs.replace(call, result=None, error=None)
        return call

    return change


def _without_argument(place: str, transcript: Transcript, tools: KnownTools) -> Iterator[Transcript]:
    """The argument is missing, or has another value."""

    def dropped(args: JsonObject, name: str) -> JsonObject:
        return {key: value for key, value in args.items() if key != name}

    def changed(args: JsonObject, name: str) -> JsonObject:
        return {**args, name: another(args[name])}

    yield _with_calls_changed(transcript, _with_argument_changed(place, tools, dropped))
    yield _with_calls_changed(transcript, _with_argument_changed(place, tools, changed))


def _with_other_values(element: Element, transcript: Transcript, tools: KnownTools) -> Iterator[Transcript]:
    tool, _, parameter = element.name.rpartition(".")
    for other in tools.choices(tool).get(parameter, ()):
        if value_aspect(other) != element.aspect:

            def replaced(args: JsonObject, name: str, other: JsonValue = other) -> JsonObject:
                return {**args, name: other} if value_aspect(args[name]) == element.aspect else args

            yield _with_calls_changed(transcript, _with_argument_changed(element.name, tools, replaced))


def _with_argument_changed(
    place: str, tools: KnownTools, change: Callable[[JsonObject, str], JsonObject]
) -> ChangeCall:
    """Changes the arguments of the calls that give the parameter at `tool.parameter`."""

    def change_call(call: ToolCall) -> ToolCall:
        name = _parameter(place, call, tools)
        if name is None or not is_object(call.args):
            return call
        return structs.replace(call, args=change(call.args, name))

    return change_call


def _parameter(place: str, call: ToolCall, tools: KnownTools) -> str | None:
    """The name of the parameter at `tool.parameter`, when this call gives it."""
    if not is_object(call.args) or not place.startswith(f"{tools.name_of(call)}."):
        return None
    name = place.removeprefix(f"{tools.name_of(call)}.")
    return name if name in call.args else None


def _in_other_order(pair: str, transcript: Transcript, tools: KnownTools) -> Transcript:
    """Where calls of these two tools follow each other, those of the second come first; of one tool, one is left."""
    calls: list[ToolCall | None] = []
    names = set(pair.split(ARROW))
    first_name = pair.partition(ARROW)[0]
    for is_one, following in groupby(calls_in(transcript), lambda call: tools.name_of(call) in names):
        run = list(following)
        if not is_one or not any(pair_name(*two, tools) == pair for two in pairwise(run)):
            calls += run
        elif len(names) == 1:
            calls += [run[0], *[None] * (len(run) - 1)]
        else:
            swapped = sorted(run, key=lambda call: tools.name_of(call) == first_name)
            calls += [_at_the_time_of(place, call) for place, call in zip(run, swapped, strict=True)]
    left = iter(calls)
    for turn in transcript.turns:
        here = tuple(call for _ in turn.reply.calls if (call := next(left)) is not None)
        transcript = with_reply(transcript, turn.number, lambda reply, here=here: structs.replace(reply, calls=here))
    return transcript


def _at_the_time_of(place: ToolCall, call: ToolCall) -> ToolCall:
    return structs.replace(call, started_ms=place.started_ms, completed_ms=place.completed_ms)


def _not_stopped(element: Element, transcript: Transcript) -> Transcript:
    """The conversation without the interrupt. A declared answer then fails its turn, as in a live run."""
    for answered in answered_interrupts(transcript):
        if answered.element != element:
            continue
        if answered.declared:
            error = f"the turn's `resume` answers {answered.name}, but the agent did not stop for that"
            failed = AgentReply(status=ExchangeStatus.INTERRUPTED, error=error)
            transcript = with_reply(transcript, answered.turn, lambda _, failed=failed: failed)
        else:
            transcript = with_reply(transcript, answered.turn - 1, lambda reply: structs.replace(reply, interrupts=()))
    return transcript


def _never_reached(checkpoint: str, transcript: Transcript) -> Transcript:
    """The turns that reached it get an empty reply."""
    for turn in transcript.turns:
        if checkpoint in turn.reached:
            transcript = with_reply(transcript, turn.number, lambda _: AgentReply())
    return transcript


def _with_reason(reply: AgentReply, reason: str) -> AgentReply:
    return structs.replace(reply, finish_reason=_ANOTHER) if reply.finish_reason == reason else reply


def _without_hand_off(reply: AgentReply, name: str) -> AgentReply:
    left = tuple(
        entry for entry in reply.trace if entry.get("type") not in HAND_OFF_TYPES or hand_off_name(entry) != name
    )
    return structs.replace(reply, trace=left)


def _each_reply(transcript: Transcript, change: Callable[[AgentReply], AgentReply]) -> Transcript:
    for turn in transcript.turns:
        transcript = with_reply(transcript, turn.number, change)
    return transcript


def _with_calls_changed(transcript: Transcript, change: ChangeCall) -> Transcript:
    """A call whose result came in a later turn is in both turns, so it is changed in both."""

    def changed(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
        return tuple(made for call in calls if (made := change(call)) is not None)

    def of_reply(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, calls=changed(reply.calls), late_results=changed(reply.late_results))

    for turn in transcript.turns:
        if turn.reply.calls or turn.reply.late_results:
            transcript = with_reply(transcript, turn.number, of_reply)
    return transcript
