"""A conversation: lines, replies, verdicts, and why it ended."""

from enum import StrEnum

from msgspec import Struct, structs

from vivavoce.model.case import AssertionSpec, CallOptions, LineSource, ResumeAnswer
from vivavoce.model.message import AgentReply, Content, Message, ToolCall, calls_with_results, text_of_content
from vivavoce.model.verdict import Outcome, Verdict


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What the user's side says next: from a script, a simulator or a person."""

    content: Content
    name: str | None = None
    """Who of several users speaks, as the message's `name`."""
    source: LineSource = "static"
    assertions: tuple[AssertionSpec, ...] = ()
    options: CallOptions = CallOptions()
    resume: tuple[ResumeAnswer, ...] = ()
    goal_achieved: bool = False
    """Whether the simulator says that this is its last line."""
    note: str | None = None
    """The simulator's reasoning."""

    @property
    def text(self) -> str:
        return text_of_content(self.content)


class EndReason(StrEnum):
    COMPLETED = "completed"
    TURN_FAILED = "turn_failed"
    CHECKPOINTS_REACHED = "checkpoints_reached"
    GOAL_ACHIEVED = "goal_achieved"
    MAX_TURNS = "max_turns"
    MISSING_INPUT_SKIP = "missing_input_skip"
    MISSING_INPUT_FAIL = "missing_input_fail"
    SIMULATOR_ERROR = "simulator_error"
    SKIPPED_BY_HUMAN = "skipped_by_human"
    ENDED_BY_HUMAN = "ended_by_human"
    CHECK_BROKE = "check_broke"
    INTERRUPT_IGNORED = "interrupt_ignored"
    AGENT_ERROR = "agent_error"
    TARGET_ERROR = "target_error"
    TEST_ERROR = "test_error"
    TIMEOUT = "timeout"


NO_ANSWER = frozenset({EndReason.AGENT_ERROR, EndReason.TARGET_ERROR, EndReason.TEST_ERROR, EndReason.TIMEOUT})
"""Endings in which the last line got no reply."""


class Ending(Struct, frozen=True, omit_defaults=True, gc=False):
    """Why the conversation ended."""

    reason: EndReason
    detail: str = ""


class Awaiting(Struct, frozen=True, omit_defaults=True, gc=False):
    """Whether the agent waits for an answer, and how we know."""

    awaiting: bool
    reason: str


class Turn(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One line, its reply and the verdicts on it."""

    number: int
    line: Line
    reply: AgentReply
    awaiting: Awaiting = Awaiting(False, "completed")
    verdicts: tuple[Verdict, ...] = ()
    reached: tuple[str, ...] = ()
    """Checkpoints reached in this turn."""
    started_ms: float = 0.0
    ended_ms: float = 0.0
    """Unix milliseconds."""
    error: str | None = None
    """Why the turn itself failed (the agent raised, the stream broke), apart from any assertion."""

    @property
    def duration_ms(self) -> float:
        return self.ended_ms - self.started_ms

    @property
    def failed(self) -> bool:
        return self.error is not None or any(v.outcome is Outcome.FAILED for v in self.verdicts)


class Transcript(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The whole conversation so far; each step builds the next one."""

    history: tuple[Message, ...] = ()
    turns: tuple[Turn, ...] = ()
    ending: Ending | None = None

    def plus(self, turn: Turn) -> "Transcript":
        earlier = self.turns
        if turn.reply.late_results:
            late = {call.id: call for call in turn.reply.late_results}
            # Ids may be reused: a result belongs to the newest call of its id.
            newest_first = [_with_results(before, late) for before in reversed(earlier)]
            earlier = tuple(reversed(newest_first))
        return Transcript(history=self.history, turns=(*earlier, turn))

    def ended(self, ending: Ending) -> "Transcript":
        return Transcript(history=self.history, turns=self.turns, ending=ending)

    @property
    def last(self) -> Turn | None:
        return self.turns[-1] if self.turns else None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts of all turns."""
        found: tuple[Verdict, ...] = ()
        for turn in self.turns:
            found += turn.verdicts
        return found

    def messages(self, line: Line | None = None) -> list[Message]:
        """Returns the whole history as the agent sees it, with `line` as the newest user message."""
        said = list(self.history)
        for turn in self.turns:
            if turn.line.content:
                said.append(Message(role="user", content=turn.line.content, name=turn.line.name))
            said.extend(history_of(turn.reply))
        if line is not None and line.content:
            said.append(Message(role="user", content=line.content, name=line.name))
        return said


def history_of(reply: AgentReply) -> tuple[Message, ...]:
    """Returns the messages that a reply adds to the history."""
    if reply.messages:
        return reply.messages
    final = Message(role="assistant", content=reply.text)
    if not reply.calls:
        return (final,)
    called, *answers = calls_with_results(reply.calls)
    # The result of an unanswered call is unknown: an empty answer would be invented.
    seen = [answer for call, answer in zip(reply.calls, answers, strict=True) if call.is_answered]
    return (called, *seen, final)


def _with_results(turn: Turn, late: dict[str, ToolCall]) -> Turn:
    """Returns the turn with the late results of its calls, and removes those from `late`."""
    if not late:
        return turn
    newest_first = [late.pop(call.id, call) for call in reversed(turn.reply.calls)]
    return structs.replace(turn, reply=structs.replace(turn.reply, calls=tuple(reversed(newest_first))))
