"""A conversation with an A2A target, without the engine around it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.fakes.surroundings import surroundings_at

from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.protocols import CallContext, TargetSpec
from vivavoce.targets.a2a.session import A2aSession
from vivavoce.targets.a2a.target import A2aTarget


class A2aTalk:
    """Says lines one after the other and keeps the transcript as the engine would."""

    def __init__(self, session: A2aSession, history: Sequence[Message] = ()) -> None:
        self.session = session
        self.transcript = Transcript(history=tuple(history))

    async def say(self, content: Any, **line: Any) -> AgentReply:
        spoken = Line(content=content, **line)
        reply = await self.session.send(spoken, self.transcript)
        number = len(self.transcript.turns) + 1
        self.transcript = self.transcript.plus(Turn(number=number, line=spoken, reply=reply))
        return reply


@asynccontextmanager
async def a2a_talk(
    url: str, *, history: Sequence[Message] = (), variables: dict[str, Any] | None = None, **config: Any
) -> AsyncIterator[A2aTalk]:
    context = config.pop("context", {})
    async with surroundings_at(Path.cwd()) as lent:
        target = A2aTarget(TargetSpec(id="desk", kind="a2a", config={"a2a": url, **config}), lent)
        opened = CallContext(session_id="s-1", case_id="T1", variables=variables or {}, **context)
        session = await target.open(opened)
        try:
            yield A2aTalk(session, history)
        finally:
            await session.close()
            await target.close()
