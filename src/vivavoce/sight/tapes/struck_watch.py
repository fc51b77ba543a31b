"""Marks replies made from recorded answers in which a secret was struck out: they are doubtful."""

from msgspec import structs

from vivavoce.model.message import AgentReply, Unread
from vivavoce.protocols import Provisions, WatchEnd
from vivavoce.sight.tapes.attempt_tape import AttemptTape

STRUCK_OUT = Unread("a secret was said here, which a tape does not keep", "the tape")


class StruckWatch:
    """protocols.Watch of an attempt that is answered from a tape."""

    def __init__(self, attempt_tape: AttemptTape) -> None:
        self._attempt_tape = attempt_tape

    def begin_turn(self, number: int, provisions: Provisions) -> None:
        """Gives the agent nothing."""

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        # The agent may repeat the struck-out text in any later turn.
        if any(entry.struck and not entry.judge for entry in self._attempt_tape.answered):
            return structs.replace(reply, unread=(*reply.unread, STRUCK_OUT))
        return reply

    async def close(self) -> WatchEnd:
        return WatchEnd()
