"""An argument of a call changed, missing, or of another type; a result turned into an error."""

import re
from collections.abc import Iterator

from msgspec import UNSET, structs

from vivavoce.insight.mutants.mutant import Mutant, with_call
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_number, is_object
from vivavoce.model.message import ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Transcript


def argument_mutants(transcript: Transcript) -> Iterator[Mutant]:
    for number, at, call in _calls(transcript):
        args: JsonValue = call.args
        if not is_object(args):
            continue
        for name, value in args.items():
            rest = {key: other for key, other in args.items() if key != name}
            all_of_them: JsonObject = {"type": "tool_called", "name": call.name, "arguments": args}
            this_one: JsonObject = {"type": "tool_called", "name": call.name, "arguments": {name: value}}
            for kind, words, changed in (
                (MutantKind.ARGUMENT_CHANGED, "has another value", {**args, name: another(value)}),
                (MutantKind.ARGUMENT_MISSING, "is missing", rest),
                (MutantKind.ARGUMENT_TYPE, "has another type", {**args, name: [value]}),
            ):
                yield Mutant(
                    kind=kind,
                    turn=number,
                    element=f"{call.name}.{name}",
                    change=f"argument {name} of {call.name} {words}",
                    before=f"{name}: {compact_json(value)}",
                    after=f"{name}: {compact_json(changed[name])}" if name in changed else f"no {name}",
                    transcript=with_call(transcript, number, at, structs.replace(call, args=changed)),
                    suggestions=(all_of_them, this_one),
                )


def result_mutants(transcript: Transcript) -> Iterator[Mutant]:
    for number, at, call in _calls(transcript):
        if call.is_answered and call.error is None:
            failed = structs.replace(call, result=UNSET, error="it failed")
            yield Mutant(
                kind=MutantKind.RESULT_ERROR,
                turn=_answered_in(transcript, number, call),
                element=call.name,
                change=f"{call.name} fails",
                before=f"result: {compact_json(None if call.result is UNSET else call.result)}",
                after="error: it failed",
                transcript=with_call(transcript, number, at, failed),
                suggestions=({"type": "tool_result", "tool": call.name},),
            )


def _calls(transcript: Transcript) -> Iterator[tuple[int, int, ToolCall]]:
    for turn in transcript.turns:
        for at, call in enumerate(turn.reply.calls):
            yield turn.number, at, call


def _answered_in(transcript: Transcript, number: int, call: ToolCall) -> int:
    """The turn in which the result of a call came: a later one for a call that waited for approval."""
    later = (turn.number for turn in transcript.turns[number:] if call in turn.reply.late_results)
    return next(later, number)


def another(value: JsonValue) -> JsonValue:
    """Returns a clearly different value of the same type."""
    if isinstance(value, bool):
        return not value
    if is_number(value):
        return value + 1
    if isinstance(value, str):
        return re.sub(r"\w", "x", value) if re.search(r"[^\Wx]", value) else f"{value}-other"
    return None if value is not None else "other"
