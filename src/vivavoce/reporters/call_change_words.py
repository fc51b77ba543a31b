"""A tool call that is not as it was, in words."""

from collections.abc import Iterator

from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.results.comparison.call_alignment import CallChange, CallDifference, Called
from vivavoce.wording.quoting import shorten
from vivavoce.wording.results import call_words
from vivavoce.wording.terminal_text import one_line, quoted

SIGNS = {
    CallDifference.ADDED: "+",
    CallDifference.DROPPED: "-",
    CallDifference.CHANGED: "~",
    CallDifference.MOVED: "→",
    CallDifference.SAME: " ",
}
_LONGEST_VALUE = 60


def call_change_words(change: CallChange) -> str:
    """`changed: refund: amount 20 → 250`, `moved: lookup({id: 7}), turn 2 → turn 1`"""
    before, after = change.before, change.after
    if before is None or after is None:
        call = after or before
        assert call is not None
        return f"{change.kind.value}: {_shown(call)} in turn {call.turn}"
    turns = "" if before.turn == after.turn else f", turn {before.turn} → turn {after.turn}"
    if change.kind is CallDifference.CHANGED:
        return f"changed: {one_line(after.name)}: {', '.join(_differences(before, after))}{turns}"
    return f"{change.kind.value}: {_shown(after)}{turns or ', in another order'}"


def _shown(call: Called) -> str:
    failed = ", which failed" if call.failed else ""
    return call_words(call.name, call.args) + failed


def _differences(before: Called, after: Called) -> Iterator[str]:
    """What is not the same in two calls of one tool."""
    if before.args != after.args:
        if is_object(before.args) and is_object(after.args):
            for name in dict.fromkeys((*before.args, *after.args)):
                yield from _field(str(name), before.args, after.args, name)
        else:
            yield f"{_value(before.args)} → {_value(after.args)}"
    if before.failed != after.failed:
        yield "fails now" if after.failed else "no longer fails"


def _field(shown: str, before: dict[str, JsonValue], after: dict[str, JsonValue], name: str) -> Iterator[str]:
    if name not in after:
        yield f"{one_line(shown)} {_value(before[name])} left out"
    elif name not in before:
        yield f"{one_line(shown)} {_value(after[name])} added"
    elif before[name] != after[name]:
        yield f"{one_line(shown)} {_value(before[name])} → {_value(after[name])}"


def _value(value: JsonValue) -> str:
    return shorten(quoted(value), _LONGEST_VALUE)
