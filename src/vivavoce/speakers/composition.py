"""Speakers made of speakers: order, waiting for a question, and what happens when no speaker is left."""

from vivavoce.containment.time_limit import TimeLimit
from vivavoce.model.case import OnMissingInput
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript
from vivavoce.protocols import Speaker

NO_NEXT_TURN = "Agent awaiting input, no next turn defined"
NO_TERMINAL = f"{NO_NEXT_TURN}, and no terminal to ask somebody at"
NO_INITIAL_INPUT = "no initial input"

_ENDINGS = {
    "skip": EndReason.MISSING_INPUT_SKIP,
    "fail": EndReason.MISSING_INPUT_FAIL,
    "end": EndReason.COMPLETED,
}


class FirstOf:
    """Asks speakers in order and takes the first line; without one the conversation is complete."""

    def __init__(self, *speakers: Speaker) -> None:
        self._speakers = speakers

    async def next_line(self, transcript: Transcript) -> Line | Ending:
        for speaker in self._speakers:
            said = await speaker.next_line(transcript)
            if said is not None:
                return said
        return Ending(EndReason.COMPLETED)


class WhenAwaiting:
    """Speaks only to an agent that waits for an answer; otherwise the conversation is complete."""

    def __init__(self, inner: Speaker) -> None:
        self._inner = inner

    async def next_line(self, transcript: Transcript) -> Line | Ending | None:
        last = transcript.last
        # After its last line only the simulator can say that the goal was achieved.
        if last is None or last.awaiting.awaiting or last.line.goal_achieved:
            return await self._inner.next_line(transcript)
        return Ending(EndReason.COMPLETED, last.awaiting.reason)


class UntilMaxTurns:
    """Ends the conversation at `max_turns` instead of asking for a line that would not be sent."""

    def __init__(self, max_turns: int, speaker: Speaker) -> None:
        self._max_turns = max_turns
        self._speaker = speaker

    async def next_line(self, transcript: Transcript) -> Line | Ending | None:
        if len(transcript.turns) >= self._max_turns:
            return Ending(EndReason.MAX_TURNS)
        return await self._speaker.next_line(transcript)


class Timed:
    """A speaker whose time counts against the case's timeout; a person's time does not."""

    def __init__(self, speaker: Speaker, budget: TimeLimit) -> None:
        self._speaker = speaker
        self._budget = budget

    async def next_line(self, transcript: Transcript) -> Line | Ending | None:
        with self._budget:
            return await self._speaker.next_line(transcript)


class MissingInput:
    """The last speaker: skips the case, fails it, or ends it, as `on_missing_input` says."""

    def __init__(self, policy: OnMissingInput, why: str = NO_NEXT_TURN) -> None:
        self._policy: OnMissingInput = policy
        self._why = why

    async def next_line(self, transcript: Transcript) -> Ending:
        last = transcript.last
        if last is None:
            # A conversation without any turn never passes, whatever `on_missing_input` says.
            return Ending(EndReason.MISSING_INPUT_FAIL, NO_INITIAL_INPUT)
        if not last.awaiting.awaiting:
            return Ending(EndReason.COMPLETED, last.awaiting.reason)
        return Ending(_ENDINGS[self._policy], self._why)
