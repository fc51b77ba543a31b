"""One conversation with an object of a framework: a line may take several runs until the turn is over."""

from collections.abc import Callable, Sequence

from msgspec import structs

from vivavoce.containment.captured_output import OutputLog
from vivavoce.containment.user_errors import UserCode
from vivavoce.errors import CallFailed
from vivavoce.metering.pacing import Pace
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import AgentReply, Interrupt
from vivavoce.model.transcript import Line, Transcript
from vivavoce.targets.frameworks.framework import Conversation
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.printed import with_logs
from vivavoce.targets.reply_reading import checked
from vivavoce.targets.resume_answers import DeclaredAnswers, Resumption, in_words, left_over, left_unanswered

MAX_RUNS = 10
"""The most runs in one turn: an agent that asks more often is stopped."""


class OneAtATime:
    """Lets the conversations of one object take turns, and says so once."""

    def __init__(self, why: str) -> None:
        self._why = why
        self._pace = Pace(max_parallel=1)
        self._said = False

    async def enter(self) -> str | None:
        """Returns when it is this one's turn, with the warning if it was the first that had to wait."""
        if self._pace.entered_at_once():
            return None
        await self._pace.enter()
        if self._said:
            return None
        self._said = True
        hint = "name a function or class that makes a new agent to run them at once"
        return f"conversations with this agent take turns: {self._why} ({hint})"

    def leave(self) -> None:
        self._pace.leave()


class FrameworkSession:
    """Holds the conversation, answers interrupts from the test, and keeps what was seen when the run raises."""

    def __init__(
        self,
        conversation: Conversation,
        *,
        one_turn: str,
        turns: OneAtATime | None,
        problem: Callable[[BaseException], CallFailed],
    ) -> None:
        self._conversation = conversation
        self._one_turn = one_turn
        self._turns = turns
        self._problem = problem
        self._seen = TurnRecord()

    def so_far(self) -> AgentReply:
        """What was seen of a turn that raised or took too long."""
        return self._seen.reply()

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        if self._one_turn and (transcript.turns or transcript.history):
            raise CallFailed(f"the agent takes one line only: {self._one_turn}", fault="test")
        still_open = transcript.last.reply.interrupts if transcript.last else ()
        answers = _Answers(line, still_open)
        if answers.uncovered:
            return left_unanswered(line, answers.uncovered)
        seen = self._seen = TurnRecord(call for turn in transcript.turns for call in turn.reply.calls)
        with OutputLog() as log:
            with UserCode(self._problem):
                await self._in_turn(line, transcript, answers, seen)
            reply = seen.reply()
            status, error = left_over(answers.declared.left, answers.uncovered, reply.status, reply.error)
            return with_logs(checked(structs.replace(reply, status=status, error=error)), log)

    async def close(self) -> None:
        await self._conversation.close()

    async def _in_turn(self, line: Line, transcript: Transcript, answers: "_Answers", seen: TurnRecord) -> None:
        if self._turns is None:
            return await self._runs(line, transcript, answers, seen)
        if (warning := await self._turns.enter()) is not None:
            seen.warn(warning)
        try:
            return await self._runs(line, transcript, answers, seen)
        finally:
            self._turns.leave()

    async def _runs(self, line: Line, transcript: Transcript, answers: "_Answers", seen: TurnRecord) -> None:
        earlier = () if transcript.turns else transcript.history
        resumptions = answers.opening
        words_left = not answers.line_is_the_answer and bool(line.content or not (line.resume or resumptions))
        for _ in range(MAX_RUNS):
            if resumptions:
                seen.interrupts.clear()
                seen.resumed = True
                await self._resume(line, resumptions, seen)
            elif words_left:
                words_left = seen.resumed = False
                await self._conversation.say(line.content, earlier, seen)
            else:
                return
            resumptions = answers.after(seen.interrupts)
            if answers.uncovered:
                return
        seen.failed(f"the agent still wants answers after {MAX_RUNS} runs of one turn")

    async def _resume(self, line: Line, resumptions: Sequence[Resumption], seen: TurnRecord) -> None:
        try:
            await self._conversation.resume(resumptions, seen)
        except CallFailed as failure:
            if failure.fault == "test" and line.source == "simulator":
                raise CallFailed(failure.what, fault="simulator") from failure
            raise


class _Answers:
    """The answers that one line brings along."""

    def __init__(self, line: Line, still_open: Sequence[Interrupt]) -> None:
        # A person or simulator that speaks to an open interrupt answers it; a script says so with `resume`.
        self.line_is_the_answer = bool(still_open) and line.source != "static"
        spoken = (ResumeAnswer(payload=line.text),) if self.line_is_the_answer else ()
        self.declared = DeclaredAnswers(line.resume or spoken)
        opening, self.uncovered = self.declared.for_interrupts(still_open)
        self.opening = [in_words(each) for each in opening] if self.line_is_the_answer else opening

    def after(self, interrupts: Sequence[Interrupt]) -> list[Resumption]:
        """The answers for another run of the same turn."""
        resumptions, self.uncovered = self.declared.for_interrupts(interrupts)
        return [] if self.uncovered else resumptions
