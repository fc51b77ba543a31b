"""THE loop: a speaker says a line, the agent answers, the answer is examined, until the conversation ends."""

from collections.abc import Callable

from msgspec import structs

from vivavoce.containment.time_limit import OutOfTime, TimeLimit
from vivavoce.engine.attempt.awaiting import AwaitingRules
from vivavoce.engine.attempt.broken_reply import kept_of
from vivavoce.engine.attempt.examiner import Examiner
from vivavoce.engine.attempt.outcome import BETWEEN_TURNS, why_broken
from vivavoce.engine.watching import Watching
from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.metering.expenses import setup_seconds
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript, Turn
from vivavoce.protocols import Partial, Session, Speaker

_COMPLETED = Ending(EndReason.COMPLETED)
_SUCCESS = ExchangeStatus.SUCCESS
_REASONS = {"agent": EndReason.AGENT_ERROR, "test": EndReason.TEST_ERROR, "simulator": EndReason.SIMULATOR_ERROR}
"""How a conversation ends after a failed call, by the call's fault. All other faults end it as a target error."""
TARGET_STATUSES = frozenset({ExchangeStatus.HTTP_ERROR, ExchangeStatus.PROTOCOL_ERROR, ExchangeStatus.TRUNCATED})


class Conversation:
    """Holds one conversation with a session, a speaker and an examiner."""

    __slots__ = (
        "_awaiting",
        "_budget",
        "_examiner",
        "_max_turns",
        "_on_turn",
        "_session",
        "_shows_calls",
        "_speaker",
        "_watching",
    )

    def __init__(
        self,
        *,
        session: Session,
        speaker: Speaker,
        examiner: Examiner,
        budget: TimeLimit,
        max_turns: int,
        awaiting: AwaitingRules,
        on_turn: Callable[[Turn], None],
        shows_calls: bool | None = None,
        watching: Watching | None = None,
    ) -> None:
        """`shows_calls`: whether every answer shows the agent's calls; None: the form of each answer decides."""
        self._session = session
        self._speaker = speaker
        self._examiner = examiner
        self._budget = budget
        self._max_turns = max_turns
        self._awaiting = awaiting
        self._on_turn = on_turn
        self._shows_calls = shows_calls
        self._watching = watching

    async def hold(self, transcript: Transcript) -> Transcript:
        """Runs the conversation to its end. Failures of agent, network or simulator are recorded, never raised."""
        while True:
            try:
                said = await self._speaker.next_line(transcript)
            except OutOfTime:
                said = Ending(EndReason.TIMEOUT, BETWEEN_TURNS)
            if not isinstance(said, Line):
                return transcript.ended(said or _COMPLETED)
            if len(transcript.turns) >= self._max_turns:
                # A simulator that has reached its goal is done, also when it has one more line.
                return transcript.ended(Ending(EndReason.GOAL_ACHIEVED if said.goal_achieved else EndReason.MAX_TURNS))
            turn, ending = await self._take_turn(said, transcript)
            transcript = transcript.plus(turn)
            self._on_turn(turn)
            if ending is not None:
                return transcript.ended(ending)

    async def _take_turn(self, line: Line, transcript: Transcript) -> tuple[Turn, Ending | None]:
        number = len(transcript.turns) + 1
        watching = self._watching
        if watching is not None:
            watching.begin_turn(number)
        started_ms = now_ms()
        uncounted_s = self._budget.given_back + setup_seconds()
        ending: Ending | None = None
        try:
            with self._budget:
                reply = await self._session.send(line, transcript)
        except OutOfTime as late:
            reply, ending = _so_far(self._session), Ending(EndReason.TIMEOUT, str(late))
        except CallFailed as failure:
            reply = _so_far(self._session)
            ending = Ending(_REASONS.get(failure.fault, EndReason.TARGET_ERROR), str(failure))
        else:
            ending = _ending_of(reply)
            if self._shows_calls is not None and reply.shows_calls is not self._shows_calls:
                reply = structs.replace(reply, shows_calls=self._shows_calls, not_shown="")
        if ending is not None:
            reply = kept_of(reply)
        # A target may report the end itself: the last event can come before the server closes its stream.
        ended_ms = reply.ended_ms or now_ms()
        # Waiting for a free place and starting the agent's processes and servers is not the agent's time.
        uncounted_s = self._budget.given_back + setup_seconds() - uncounted_s
        if watching is not None:
            reply = await watching.end_turn(number, reply, started_ms, ended_ms)
        turn = Turn(
            number=number,
            line=line,
            reply=reply,
            awaiting=self._awaiting.detect(reply),
            started_ms=started_ms + uncounted_s * 1000,
            ended_ms=ended_ms,
            error=None if ending is None else why_broken(ending, self._budget.seconds),
        )
        if ending is not None and reply.status is ExchangeStatus.SUCCESS:
            return turn, ending
        examined, decided = await self._examiner.examine(turn, transcript)
        return examined, ending or decided


def _so_far(session: Session) -> AgentReply:
    """Returns what was seen of a turn that broke, if the session can say."""
    return session.so_far() if isinstance(session, Partial) else AgentReply()


def _ending_of(reply: AgentReply) -> Ending | None:
    """Returns the ending when the exchange failed, else None. An open interrupt waits for an answer: no failure."""
    if reply.status is _SUCCESS or (reply.status is ExchangeStatus.INTERRUPTED and reply.error is None):
        return None
    detail = reply.error or reply.status.value
    if reply.status is ExchangeStatus.INTERRUPTED:
        return Ending(EndReason.INTERRUPT_IGNORED, detail)
    return Ending(EndReason.TARGET_ERROR if reply.status in TARGET_STATUSES else EndReason.AGENT_ERROR, detail)
