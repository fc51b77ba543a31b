"""One conversation as the page shows it: what was said, what is going on, and the readers that wait for news."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import msgspec
from msgspec import Raw, Struct

from vivavoce.app.talking.frames import Answered, Answering, Closed, FromAgent, Opened, Say, SoFar, Unanswered
from vivavoce.app.talking.talk_link import TalkLink
from vivavoce.model.json_value import JsonValue
from vivavoce.model.transcript import Ending, EndReason, Transcript, Turn

OPENING, READY, ANSWERING, ENDED = "opening", "ready", "answering", "ended"
_TOLD_AGAIN_S = 15.0
_RAW_NOTHING = Raw(b"null")


class Entry(Struct, frozen=True, omit_defaults=True):
    """A turn; with `failed`, one that got no answer and is not part of the conversation."""

    row: Raw
    failed: str | None = None


class TalkState(Struct, frozen=True, kw_only=True):
    """What is going on."""

    state: str
    agent: str
    timeout_s: float | None = None
    input: JsonValue = None
    """The line that is being answered."""
    resume: JsonValue = None
    so_far: Raw = _RAW_NOTHING
    problem: str = ""
    """Why it ended, unless the person ended it."""
    printed: str = ""


class Talk:
    """A conversation and its log. `follow` must run for anything to happen."""

    def __init__(self, talk_id: str, agent: str, link: TalkLink) -> None:
        self.id = talk_id
        self.entries: list[Entry] = []
        self.now = TalkState(state=OPENING, agent=agent)
        self._link = link
        self._turns: list[Turn] = []
        self._news = asyncio.Event()
        self._ended_by_person = False
        self.listeners = 0

    @property
    def transcript(self) -> Transcript:
        transcript = Transcript()
        for turn in self._turns:
            transcript = transcript.plus(turn)
        return transcript.ended(Ending(EndReason.ENDED_BY_HUMAN, "ended on the page"))

    @property
    def turns(self) -> int:
        return len(self._turns)

    @property
    def is_over(self) -> bool:
        return self.now.state == ENDED

    def say(self, said: Say) -> None:
        """Only while the conversation is ready; the state changes when the line was sent."""
        self._show(state=ANSWERING, input=said.content)
        self._link.say(said)

    async def follow(self) -> None:
        """Hears the conversation until it is over, then ends its process."""
        problem = "the agent's process died"
        try:
            while (message := await self._link.next()) is not None:
                if isinstance(message, Closed):
                    problem = message.problem
                    break
                self._hear(message)
        finally:
            how = await self._link.close()
            if problem == "the agent's process died":
                problem = f"{problem}: {how}"
            self._show(
                state=ENDED,
                input=None,
                resume=None,
                so_far=_RAW_NOTHING,
                problem="" if self._ended_by_person else problem,
            )

    def end(self) -> None:
        """Asks the conversation to end; `follow` sees it through."""
        if not self.is_over:
            self._ended_by_person = True
            self._link.end()

    async def news(self, known: int) -> AsyncIterator[tuple[list[Entry], TalkState]]:
        """The entries after the first `known` and what is going on; again after every change, until it is over."""
        while True:
            waiting = self._news
            fresh = self.entries[known:]
            known += len(fresh)
            over = self.is_over
            yield fresh, self.now
            if over:
                return
            # Sent again now and then: only a failed write shows that the reader is gone.
            with suppress(TimeoutError):
                await asyncio.wait_for(waiting.wait(), _TOLD_AGAIN_S)

    def _hear(self, message: FromAgent) -> None:
        match message:
            case Opened():
                self._show(state=READY, timeout_s=message.timeout_s)
            case Answering():
                self._show(state=ANSWERING, input=message.input, resume=message.resume)
            case SoFar():
                self._show(so_far=message.reply)
            case Answered():
                self._turns.append(msgspec.json.decode(message.turn, type=Turn))
                self._add(Entry(message.row))
            case Unanswered():
                self._add(Entry(message.row, message.why))
            case Closed():
                pass

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._show(state=READY, input=None, resume=None, so_far=_RAW_NOTHING)

    def _show(self, **changes: JsonValue) -> None:
        self.now = msgspec.structs.replace(self.now, printed=self._link.printed, **changes)
        told, self._news = self._news, asyncio.Event()
        told.set()
