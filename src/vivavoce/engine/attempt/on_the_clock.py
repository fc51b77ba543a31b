"""Whose speaking costs the case's time."""

from vivavoce.containment.time_limit import TimeLimit
from vivavoce.model.transcript import Ending, Line, Transcript
from vivavoce.protocols import Speaker


class OnTheClock:
    """A speaker that costs the case's time; a person's thinking does not."""

    def __init__(self, speaker: Speaker, budget: TimeLimit) -> None:
        self._speaker = speaker
        self._budget = budget

    async def next_line(self, transcript: Transcript) -> Line | Ending | None:
        with self._budget:
            return await self._speaker.next_line(transcript)
