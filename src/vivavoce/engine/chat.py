"""`viva chat` and the page's Talk: the conversation loop with a person as the only speaker and no checks."""

from typing import Protocol

from vivavoce.containment.time_limit import TimeLimit
from vivavoce.engine.attempt.conversation import Conversation
from vivavoce.engine.attempt.examiner import Examiner
from vivavoce.engine.watching import Watching
from vivavoce.engine.wiring import Person, RunResources
from vivavoce.model.case import Case
from vivavoce.model.transcript import NO_ANSWER, Ending, EndReason, Line, Transcript, Turn
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import CallContext, Session, Speaker

ENDLESS = 1_000_000
_CAN_BE_SAID_AGAIN = NO_ANSWER | {EndReason.INTERRUPT_IGNORED}


class ChatDisplay(Protocol):
    """Who shows the conversation to the person."""

    def opened(self, session: Session) -> None:
        """Called once, before the first line."""
        ...

    def answered(self, turn: Turn) -> None:
        """Called after each turn that got an answer."""
        ...

    def unanswered(self, turn: Turn, why: str) -> None:
        """Called after a turn without an answer. It is not part of the conversation: its line can be said again."""
        ...


async def converse_freely(resources: RunResources, case: Case, person: Person, display: ChatDisplay) -> Transcript:
    """Runs until the person ends it. Each line has the whole timeout; after a failure the conversation goes on.

    Raises VivaError when the conversation cannot be opened.
    """
    agent = resources.agent_name(case)
    target = resources.target(agent)
    session_id = resources.new_session_id()
    watching = None
    if resources.watchers.over(agent, case):
        watching = await resources.watchers.watch(agent, case, 1, session_id)
    try:
        session = await target.open(
            CallContext(
                session_id=session_id,
                case_id=case.id,
                identity=resources.identity(case),
                variables=dict(resources.project.config.variables),
                connector=resources.settings.connector,
                provisions=None if watching is None else watching.provisions,
            )
        )
        try:
            display.opened(session)
            return await _talk(resources, case, session, watching, person, display)
        finally:
            person.close()
            await session.close()
    finally:
        if watching is not None:
            await watching.close()


async def _talk(
    resources: RunResources,
    case: Case,
    session: Session,
    watching: Watching | None,
    person: Person,
    display: ChatDisplay,
) -> Transcript:
    timeout_s = resources.settings.timeout_s
    transcript = Transcript()
    while True:
        speaker = _OneLine(person)
        held = await Conversation(
            session=session,
            speaker=speaker,
            examiner=Examiner(case, resources.helpers),
            budget=TimeLimit(timeout_s),
            max_turns=ENDLESS,
            awaiting=resources.awaiting,
            on_turn=_ignore,
            shows_calls=resources.shows_calls(resources.agent_name(case)),
            watching=watching,
        ).hold(transcript)
        ending, last = held.ending, held.last
        if speaker.ending is not None or ending is None or last is None:
            return held
        turns = held.turns
        if ending.reason in _CAN_BE_SAID_AGAIN:
            late = f"no answer within {format_duration(timeout_s)}"
            display.unanswered(resources.secrets.masked(last), resources.secrets.mask(ending.detail or late))
            turns = turns[:-1]
        else:
            display.answered(resources.secrets.masked(last))
        transcript = Transcript(history=held.history, turns=turns)


class _OneLine:
    """Lets the person say one line, so that each line can have a time limit of its own."""

    def __init__(self, person: Speaker) -> None:
        self._person = person
        self._said = False
        self.ending: Ending | None = None
        """Set when the person ended the conversation."""

    async def next_line(self, transcript: Transcript) -> Line | Ending | None:
        if self._said:
            return None
        self._said = True
        said = await self._person.next_line(transcript)
        if isinstance(said, Ending):
            self.ending = said
        return said


def _ignore(turn: Turn) -> None:
    """Does nothing: the display hears of the turn once it is known whether it was answered."""
