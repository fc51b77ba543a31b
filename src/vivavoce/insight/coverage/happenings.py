"""The elements of coverage that happened in a recorded conversation."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from vivavoce.insight.coverage.known_tools import GIVEN, KnownTools, value_aspect
from vivavoce.model.case import Case, ResumeAnswer
from vivavoce.model.coverage import Element, Group
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.model.message import Interrupt, ToolCall
from vivavoce.model.transcript import Transcript

RESOLVED, CANCELLED = "resolved", "cancelled"
REACHED = "reached"
SEEN = "seen"
HAND_OFF_TYPES = frozenset({"HANDOFF", "hand_off"})
"""The types that frameworks and spans write in a reply's trace."""
ARROW = " → "
NO_NAME = "(no name)"


def possible(case: Case) -> Iterator[Element]:
    """The elements that the case declares: its checkpoints."""
    for checkpoint in case.checkpoints:
        yield Element(Group.CHECKPOINT, f"{case.key} › {checkpoint.id}", REACHED)


def happened(case: Case, transcript: Transcript, tools: KnownTools) -> dict[Element, None]:
    """Each element once, in the order in which it first happened."""
    return dict.fromkeys(
        (
            *_tools(transcript, tools),
            *_interrupts(transcript),
            *_checkpoints(case, transcript),
            *_finish_reasons(transcript),
            *_hand_offs(transcript),
        )
    )


def calls_in(transcript: Transcript) -> list[ToolCall]:
    return [call for turn in transcript.turns for call in turn.reply.calls]


def _tools(transcript: Transcript, tools: KnownTools) -> Iterator[Element]:
    calls = calls_in(transcript)
    for call in calls:
        name = tools.name_of(call)
        yield Element(Group.TOOL, name, "called")
        if call.is_answered:
            yield Element(Group.TOOL, name, "returned" if call.error is None else "failed")
        for parameter, value in (call.args if is_object(call.args) else {}).items():
            place = f"{name}.{parameter}"
            yield Element(Group.PARAMETER, place, GIVEN)
            if value in tools.choices(name).get(parameter, ()):
                yield Element(Group.PARAMETER, place, value_aspect(value))
    for first, second in pairwise(calls):
        yield Element(Group.PAIR, pair_name(first, second, tools), SEEN)


def pair_name(first: ToolCall, second: ToolCall, tools: KnownTools) -> str:
    return f"{tools.name_of(first)}{ARROW}{tools.name_of(second)}"


class Answered(Struct, frozen=True):
    """An interrupt and how it was answered."""

    name: str
    cancelled: bool
    turn: int
    """The turn whose line answers it."""
    declared: bool
    """Whether the case declares it with `resume:`; viva then fails the turn when the agent does not stop."""

    @property
    def element(self) -> Element:
        return Element(Group.INTERRUPT, self.name, CANCELLED if self.cancelled else RESOLVED)


def answered_interrupts(transcript: Transcript) -> Iterator[Answered]:
    open_ones: tuple[Interrupt, ...] = ()
    for turn in transcript.turns:
        for interrupt in open_ones:
            if not turn.line.resume and turn.line.text:
                cancelled = turn.line.text.strip().rstrip(".!").lower() == "cancel"
                yield Answered(_interrupt_name(interrupt), cancelled, turn.number, declared=False)
        for answer in turn.line.resume:
            met = [one for one in open_ones if _fits(answer, one)]
            # An interrupt that was answered within its own turn is not open any more: only its answer names it.
            names = [_interrupt_name(one) for one in met] or [answer.reason or answer.tool or answer.id or NO_NAME]
            for name in names:
                yield Answered(name, answer.cancelled, turn.number, declared=True)
        open_ones = turn.reply.interrupts


def _interrupts(transcript: Transcript) -> Iterator[Element]:
    return (answered.element for answered in answered_interrupts(transcript))


def interrupt_elements(names: Iterator[str]) -> Iterator[Element]:
    """Both possible answers of each interrupt."""
    for name in names:
        yield Element(Group.INTERRUPT, name, RESOLVED)
        yield Element(Group.INTERRUPT, name, CANCELLED)


def interrupts_met(transcript: Transcript) -> Iterator[str]:
    """The names of all interrupts, answered or not."""
    for turn in transcript.turns:
        for interrupt in turn.reply.interrupts:
            yield _interrupt_name(interrupt)
    for answered in answered_interrupts(transcript):
        yield answered.name


def _interrupt_name(interrupt: Interrupt) -> str:
    return interrupt.reason or interrupt.tool_name or NO_NAME


def _fits(answer: ResumeAnswer, interrupt: Interrupt) -> bool:
    return (
        answer.id in (None, interrupt.id)
        and answer.reason in (None, interrupt.reason)
        and answer.tool in (None, interrupt.tool_name, interrupt.tool_call_id)
    )


def _checkpoints(case: Case, transcript: Transcript) -> Iterator[Element]:
    for turn in transcript.turns:
        for checkpoint in turn.reached:
            yield Element(Group.CHECKPOINT, f"{case.key} › {checkpoint}", REACHED)


def _finish_reasons(transcript: Transcript) -> Iterator[Element]:
    for turn in transcript.turns:
        if turn.reply.finish_reason:
            yield Element(Group.FINISH_REASON, turn.reply.finish_reason, SEEN)


def _hand_offs(transcript: Transcript) -> Iterator[Element]:
    for turn in transcript.turns:
        for entry in turn.reply.trace:
            if entry.get("type") in HAND_OFF_TYPES:
                yield Element(Group.HAND_OFF, hand_off_name(entry), SEEN)


def hand_off_name(entry: JsonObject) -> str:
    by, to = entry.get("from") or entry.get("by"), entry.get("to")
    return f"{by or '?'}{ARROW}{to or '?'}"
