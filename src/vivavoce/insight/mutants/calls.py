"""A tool call dropped, doubled, renamed, or made before its predecessor."""

from collections.abc import Iterator

from msgspec import structs

from vivavoce.insight.mutants.mutant import Mutant, with_reply
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.transcript import Transcript


def call_mutants(transcript: Transcript) -> Iterator[Mutant]:
    for turn in transcript.turns:
        calls = turn.reply.calls
        for at, call in enumerate(calls):
            once: JsonObject = {"type": "require", "name": call.name, "count": {"exact": _times(call, calls)}}
            variants: list[tuple[str, str, tuple[ToolCall, ...], JsonObject]] = [
                ("call-dropped", "is not called", (*calls[:at], *calls[at + 1 :]), once),
                ("call-doubled", "is called once more", (*calls[: at + 1], call, *calls[at + 1 :]), once),
                (
                    "call-renamed",
                    "is another tool",
                    (*calls[:at], structs.replace(call, name=f"{call.name}_x"), *calls[at + 1 :]),
                    once,
                ),
            ]
            if at and calls[at - 1].name != call.name:
                moved = (*calls[: at - 1], call, calls[at - 1], *calls[at + 1 :])
                order: JsonObject = {"type": "sequence", "calls": [calls[at - 1].name, call.name]}
                variants.append(("call-moved", f"is called before {calls[at - 1].name}", moved, order))
            for kind, words, changed, suggestion in variants:
                yield Mutant(
                    kind=kind,
                    turn=turn.number,
                    element=call.name,
                    change=f"{call.name} {words}",
                    transcript=_with_calls(transcript, turn.number, changed),
                    suggestion=suggestion,
                )


def _times(call: ToolCall, calls: tuple[ToolCall, ...]) -> int:
    return sum(one.name == call.name for one in calls)


def _with_calls(transcript: Transcript, number: int, calls: tuple[ToolCall, ...]) -> Transcript:
    def change(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, calls=calls)

    return with_reply(transcript, number, change)
