"""One change of a recorded conversation."""

from collections.abc import Callable, Iterable

from msgspec import UNSET, Struct, structs

from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.result import CaseResult
from vivavoce.model.transcript import Transcript


class Mutant(Struct, frozen=True, kw_only=True):
    """A conversation that differs from the recorded one in one thing."""

    kind: MutantKind
    turn: int
    element: str
    """What was changed: a tool's name, `tool.argument`, or `reply`."""
    change: str
    """In words: `refund is not called`."""
    transcript: Transcript
    before: str = ""
    """The recorded value; empty where `change` says everything."""
    after: str = ""
    """The new value; empty where `change` says everything."""
    suggestions: tuple[JsonObject, ...] = ()
    """Checks that may notice it, the best first."""


class RunPool(Struct, frozen=True):
    """Replies and tools of other cases of the run, for mutants that use them."""

    replies: tuple[tuple[str, str], ...] = ()
    """Keys of cases, each with a reply."""
    tools: tuple[str, ...] = ()
    """Names of the tools that were called."""


def with_reply(transcript: Transcript, number: int, change: Callable[[AgentReply], AgentReply]) -> Transcript:
    """Returns the transcript with the reply of one turn (from 1) changed.

    The messages it added are dropped, because they hold the old reply.
    """
    turns = tuple(
        structs.replace(turn, reply=structs.replace(change(turn.reply), messages=())) if turn.number == number else turn
        for turn in transcript.turns
    )
    return structs.replace(transcript, turns=turns)


def with_call(transcript: Transcript, number: int, at: int, *instead: ToolCall) -> Transcript:
    """Returns the transcript with other calls instead of one, also in the later turn that has its result."""
    old = transcript.turns[number - 1].reply.calls[at]

    def change(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, calls=(*reply.calls[:at], *instead, *reply.calls[at + 1 :]))

    def change_late(reply: AgentReply) -> AgentReply:
        late = tuple(new for call in reply.late_results for new in (instead if call == old else (call,)))
        return structs.replace(reply, late_results=late)

    for turn in transcript.turns[number:]:
        if old in turn.reply.late_results:
            transcript = with_reply(transcript, turn.number, change_late)
    return with_reply(transcript, number, change)


_MOST_REPLIES, _MOST_TOOLS, _LONGEST_REPLY = 100, 100, 10_000


def pool_of(results: Iterable[CaseResult]) -> RunPool:
    """The last replies and the tools of a run; a limited number of both."""
    replies: dict[str, str] = {}
    tools: set[str] = set()
    for result in results:
        transcript = result.attempts[0].transcript if result.attempts else None
        for turn in transcript.turns if transcript is not None else ():
            tools.update(call.name for call in turn.reply.calls if len(tools) < _MOST_TOOLS)
            text = turn.reply.text
            known = result.case.key in replies or len(replies) < _MOST_REPLIES
            if known and text and len(text) <= _LONGEST_REPLY and turn.reply.data is UNSET:
                replies[result.case.key] = text
        if len(replies) >= _MOST_REPLIES and len(tools) >= _MOST_TOOLS:
            break
    return RunPool(tuple(sorted(replies.items())), tuple(sorted(tools)))
