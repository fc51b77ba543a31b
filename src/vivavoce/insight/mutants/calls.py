"""A tool call dropped, doubled, renamed, or made before its predecessor."""

from collections.abc import Iterator

from msgspec import structs

from vivavoce.insight.mutants.mutant import Mutant, with_reply
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Transcript


def call_mutants(transcript: Transcript) -> Iterator[Mutant]:
    for turn in transcript.turns:
        calls = turn.reply.calls
        for at, call in enumerate(calls):
            checks = _count_checks(call, calls, transcript)
            variants: list[tuple[MutantKind, str, tuple[ToolCall, ...], tuple[JsonObject, ...]]] = [
                (MutantKind.CALL_DROPPED, "is not called", (*calls[:at], *calls[at + 1 :]), checks),
                (MutantKind.CALL_DOUBLED, "is called once more", (*calls[: at + 1], call, *calls[at + 1 :]), checks),
                (
                    MutantKind.CALL_RENAMED,
                    "is another tool",
                    (*calls[:at], structs.replace(call, name=f"{call.name}_x"), *calls[at + 1 :]),
                    checks,
                ),
            ]
            if at and calls[at - 1].name != call.name:
                moved = (*calls[: at - 1], call, calls[at - 1], *calls[at + 1 :])
                order: JsonObject = {"type": "sequence", "calls": [calls[at - 1].name, call.name]}
                whole: JsonObject = {"type": "sequence", "calls": [one.name for one in calls]}
                words = f"is called before {calls[at - 1].name}"
                variants.append((MutantKind.CALL_MOVED, words, moved, (order, whole)))
            for kind, words, changed, suggestions in variants:
                yield Mutant(
                    kind=kind,
                    turn=turn.number,
                    element=call.name,
                    change=f"{call.name} {words}",
                    before=_names(calls),
                    after=_names(changed),
                    transcript=_with_calls(transcript, turn.number, changed),
                    suggestions=suggestions,
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


def _with_calls(transcript: Transcript, number: int, calls: tuple[ToolCall, ...]) -> Transcript:
    def change(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, calls=calls)

    return with_reply(transcript, number, change)
