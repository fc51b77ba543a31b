"""`viva chat`: the conversation loop with a person as the only speaker and no checks."""

from collections.abc import Callable

from vivavoce.containment.time_limit import TimeLimit
from vivavoce.engine.attempt.conversation import Conversation
from vivavoce.engine.attempt.examiner import Examiner
from vivavoce.engine.wiring import Person, Workshop
from vivavoce.model.case import Case
from vivavoce.model.transcript import NO_ANSWER, Transcript, Turn
from vivavoce.notation.durations import format_duration
from vivavoce.protocols import CallContext

ENDLESS = 1_000_000


async def converse_freely(workshop: Workshop, case: Case, person: Person, tell: Callable[[str], None]) -> Transcript:
    """Runs until the person ends it. A failed reply is shown, and the conversation goes on."""
    settings = workshop.settings
    session = await workshop.target(workshop.agent_name(case)).open(
        CallContext(
            session_id=workshop.new_session_id(),
            case_id=case.id,
            identity=workshop.identity(case),
            variables=dict(workshop.project.config.variables),
            connector=settings.connector,
        )
    )
    transcript = Transcript()
    try:
        while True:
            budget = TimeLimit(settings.timeout_s)
            conversation = Conversation(
                session=session,
                speaker=person,
                examiner=Examiner(case, workshop.helpers),
                budget=budget,
                max_turns=ENDLESS,
                awaiting=workshop.awaiting,
                on_turn=_ignore,
            )
            held = await conversation.hold(transcript)
            ending = held.ending
            if ending is None or ending.reason not in NO_ANSWER:
                return held
            late = f"no answer within {format_duration(settings.timeout_s)}"
            tell(workshop.secrets.mask(f"  ✗ {ending.detail or late}"))
            # The line that failed was never part of the conversation: it can be said again.
            transcript = Transcript(history=held.history, turns=held.turns[:-1])
    finally:
        person.close()
        await session.close()


def _ignore(turn: Turn) -> None:
    """Does nothing: the person has seen the turn."""
