"""A tool call dropped, doubled, renamed, or made before its predecessor."""

from collections.abc import Iterator

from msgspec import structs

from vivavoce.insight.mutants.mutant import Mutant, with_call, with_reply
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Transcript, Turn


def call_mutants(transcript: Transcript) -> Iterator[Mutant]:
    for turn in transcript.turns:
        for at, call in enumerate(turn.reply.calls):
            yield from _changed(transcript, turn, at, call)
            if at and turn.reply.calls[at - 1].name != call.name:
                yield _moved(transcript, turn, at)


def _changed(transcript: Transcript, turn: Turn, at: int, call: ToolCall) -> Iterator[Mutant]:
    again = structs.replace(call, id=f"{call.id}-again")
    renamed = structs.replace(call, name=f"{call.name}_x")
    variants: tuple[tuple[MutantKind, str, tuple[ToolCall, ...]], ...] = (
        (MutantKind.CALL_DROPPED, "is not called", ()),
        (MutantKind.CALL_DOUBLED, "is called once more", (call, again)),
        (MutantKind.CALL_RENAMED, "is another tool", (renamed,)),
    )
    calls = turn.reply.calls
    for kind, words, instead in variants:
        yield Mutant(
            kind=kind,
            turn=turn.number,
            element=call.name,
            change=f"{call.name} {words}",
            before=_names(calls),
            after=_names((*calls[:at], *instead, *calls[at + 1 :])),
            transcript=with_call(transcript, turn.number, at, *instead),
            suggestions=_count_checks(call, calls, transcript),
        )


def _moved(transcript: Transcript, turn: Turn, at: int) -> Mutant:
    calls = turn.reply.calls
    before, call = calls[at - 1], calls[at]
    moved = (*calls[: at - 1], call, before, *calls[at + 1 :])
    order: JsonObject = {"type": "sequence", "calls": [before.name, call.name]}
    whole: JsonObject = {"type": "sequence", "calls": [one.name for one in calls]}
    return Mutant(
        kind=MutantKind.CALL_MOVED,
        turn=turn.number,
        element=call.name,
        change=f"{call.name} is called before {before.name}",
        before=_names(calls),
        after=_names(moved),
        transcript=with_reply(transcript, turn.number, lambda reply: structs.replace(reply, calls=moved)),
        suggestions=(order, whole),
    )


def _count_checks(call: ToolCall, calls: tuple[ToolCall, ...], transcript: Transcript) -> tuple[JsonObject, ...]:
    """How often a tool is called: in its turn, and in the whole conversation for a check of the whole case."""
    everywhere = sum(_times(call, turn.reply.calls) for turn in transcript.turns)
    counts = dict.fromkeys((_times(call, calls), everywhere))
    return tuple({"type": "require", "name": call.name, "count": {"exact": count}} for count in counts)


def _times(call: ToolCall, calls: tuple[ToolCall, ...]) -> int:
    return sum(one.is_named(call.name) for one in calls)


def _names(calls: tuple[ToolCall, ...]) -> str:
    return ", ".join(call.name for call in calls) or "no call"
