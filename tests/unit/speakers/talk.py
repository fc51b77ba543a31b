"""Conversations for the speakers' tests, in as few words as possible."""

from collections.abc import Sequence
from typing import Any

from vivavoce.model.case import CallOptions
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Awaiting, Line, Transcript, Turn

WAITING = Awaiting(True, "content_is_question")
COMPLETE = Awaiting(False, "completed")


def turn(line: Line | str = "Hi", reply: AgentReply | str = "And?", awaiting: Awaiting = WAITING, **more: Any) -> Turn:
    return Turn(
        number=1,
        line=Line(content=line) if isinstance(line, str) else line,
        reply=AgentReply(text=reply) if isinstance(reply, str) else reply,
        awaiting=awaiting,
        **more,
    )


def talk(*turns: Turn, history: Sequence[Message] = ()) -> Transcript:
    return Transcript(history=tuple(history), turns=turns)


def simulated(text: str, **more: Any) -> Line:
    return Line(content=text, source="simulator", **more)


class FakeAgents:
    """An AgentCaller that answers from a list and remembers what it was asked."""

    def __init__(self, *replies: AgentReply | str | Exception) -> None:
        self._replies = list(replies)
        self.asked: list[tuple[str, Sequence[Message], CallOptions, str]] = []

    async def ask(
        self, ref: str, messages: Sequence[Message], options: CallOptions, *, test_id: str = ""
    ) -> AgentReply:
        self.asked.append((ref, messages, options, test_id))
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return AgentReply(text=reply) if isinstance(reply, str) else reply
