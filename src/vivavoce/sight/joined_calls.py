"""Joins the calls of the agent's answer with calls seen from outside into one list without duplicates."""

from collections.abc import Sequence

from msgspec import UNSET, structs

from vivavoce.model.json_value import JsonValue, is_object, json_equal
from vivavoce.model.message import ToolCall
from vivavoce.notation.json_text import object_or_text


def joined(shown: Sequence[ToolCall], seen: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Returns the calls of the answer, completed with results, times and further calls that were seen outside it.

    Two calls are the same when they have the same id; else the same name and arguments; else the same name, and one
    has no arguments. The answer wins where both differ. Further calls are inserted by their start time, if known.
    """
    partners, left = _paired(shown, seen)
    known = [_completed(call, partners.get(place)) for place, call in enumerate(shown)]
    return _in_order(known, left)


def not_shown(shown: Sequence[ToolCall], seen: Sequence[ToolCall]) -> list[ToolCall]:
    """Returns the calls that were seen and that the answer does not show."""
    return _paired(shown, seen)[1]


def _paired(shown: Sequence[ToolCall], seen: Sequence[ToolCall]) -> tuple[dict[int, ToolCall], list[ToolCall]]:
    """The seen call for each index of `shown`, and the seen calls that are left."""
    left = list(seen)
    partners: dict[int, ToolCall] = {}
    for is_same in (_same_id, _same_arguments, _same_name):
        for place, call in enumerate(shown):
            if place in partners:
                continue
            partner = next((other for other in left if is_same(call, other)), None)
            if partner is not None:
                partners[place] = partner
                left.remove(partner)
    return partners, left


def _same_id(call: ToolCall, other: ToolCall) -> bool:
    return bool(call.id) and call.id == other.id and _same_tool(call, other)


def _same_arguments(call: ToolCall, other: ToolCall) -> bool:
    mine, theirs = _arguments(call), _arguments(other)
    return _same_tool(call, other) and is_object(mine) and is_object(theirs) and json_equal(mine, theirs)


def _same_name(call: ToolCall, other: ToolCall) -> bool:
    return _same_tool(call, other) and (not call.args or not other.args)


def _same_tool(call: ToolCall, other: ToolCall) -> bool:
    return call.is_named(other.name) or other.is_named(call.name)


def _arguments(call: ToolCall) -> JsonValue:
    return object_or_text(call.args) if isinstance(call.args, str) else call.args


def _completed(call: ToolCall, seen: ToolCall | None) -> ToolCall:
    if seen is None:
        return call
    return structs.replace(
        call,
        id=call.id or seen.id,
        args=call.args or seen.args,
        result=seen.result if call.result is UNSET and call.error is None else call.result,
        error=seen.error if call.error is None and call.result is UNSET else call.error,
        started_ms=call.started_ms if call.started_ms is not None else seen.started_ms,
        completed_ms=call.completed_ms if call.completed_ms is not None else seen.completed_ms,
    )


def _in_order(known: list[ToolCall], more: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Inserts each further call before the first known one that began later; the order of the answer stays."""
    calls = list(known)
    for call in more:
        began = call.started_ms
        later = (
            place
            for place, other in enumerate(calls)
            if began is not None and other.started_ms is not None and other.started_ms > began
        )
        calls.insert(next(later, len(calls)), call)
    return tuple(calls)
