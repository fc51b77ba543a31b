"""The tool calls of the evidence: which, in which turn, with what arguments, and how messages name them."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import UNSET, Meta, Struct

from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_object
from vivavoce.model.message import ToolCall
from vivavoce.notation.json_paths import follow, plain_steps
from vivavoce.notation.json_text import object_or_text, repeats_a_key
from vivavoce.notation.validation_errors import TOOL_NAME
from vivavoce.protocols import Evidence
from vivavoce.wording.plurals import first_few
from vivavoce.wording.quoting import kept, times

Name = Annotated[str, Meta(min_length=1, pattern=TOOL_NAME)]
"""The name of a tool as a check writes it."""


class CallSeen(Struct, frozen=True):
    """A call, its place among all calls, and the turn it was made (or done) in."""

    place: int
    turn: int
    call: ToolCall


def calls_seen(evidence: Evidence) -> list[CallSeen]:
    """All calls, in the order they began."""
    return [CallSeen(place, turn, call) for place, (turn, call) in enumerate(evidence.calls)]


def named(name: str, calls: Iterable[CallSeen]) -> list[CallSeen]:
    return [seen for seen in calls if seen.call.is_named(name)]


def read_arguments(call: ToolCall) -> JsonObject | None:
    """A call's arguments as an object; text that holds one counts, None when they are anything else or unclear."""
    args = call.args
    if args is None or args == "":
        return {}
    if isinstance(args, str):
        # Readers differ in which value of a key that is written twice they keep.
        args = None if repeats_a_key(args) else object_or_text(args)
    return args if is_object(args) else None


def arguments_of(call: ToolCall) -> JsonObject:
    """The same where arguments that cannot be read match nothing."""
    return read_arguments(call) or {}


def argument(arguments: JsonObject, key: str) -> JsonValue:
    """The argument under a key, or further inside under a dotted one; UNSET when there is none."""
    if key in arguments:
        return arguments[key]
    steps = plain_steps(key)
    found = follow(steps, arguments) if steps else []
    return found[0] if found else UNSET


def matchable(value: JsonValue) -> str:
    """The text a pattern is tried on: a string as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else compact_json(value)


# ── telling ─────────────────────────────────────────────────────────────────────────


def called_instead(calls: list[CallSeen]) -> str:
    """What was called, for when the right tool was not."""
    counts: dict[str, int] = {}
    for seen in calls:
        name = seen.call.name or "(no name)"
        counts[name] = counts.get(name, 0) + 1
    if not counts:
        return "no tool was called"
    listed = [name if count == 1 else f"{name} {times(count)}" for name, count in counts.items()]
    return f"called: {first_few(listed, 8)}"


def in_turns(calls: list[CallSeen], evidence: Evidence) -> str:
    """` (turn 3, turn 4)`; nothing when there is only one turn to look at."""
    if len(evidence.turns) < 2 or not calls:
        return ""
    places = [f"turn {seen.turn}" for seen in calls[:8]]
    return f" ({', '.join(places)}{', …' if len(calls) > 8 else ''})"


def answers_of(call: ToolCall) -> Iterator[JsonValue]:
    """Yields what came back from a call: its result, and the words of its error."""
    if call.result is not UNSET:
        yield call.result
    if call.error is not None:
        yield call.error


def recounted(seen: CallSeen) -> JsonObject:
    """A call as plain data for a verdict's details."""
    call = seen.call
    told: JsonObject = {"turn": seen.turn, "name": call.name, "args": call.args}
    if call.result is not UNSET:
        told["result"] = kept(call.result)
    if call.error is not None:
        told["error"] = call.error
    return told
