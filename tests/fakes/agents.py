"""Agents for tests, at the Target socket: they say what they are told to, and remember what they heard."""

import asyncio
from collections.abc import Sequence
from typing import Any

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import AgentCard, CallContext

Say = str | AgentReply | Exception | float
"""A text, a whole reply, something to raise, or seconds to hang."""


class FakeTarget:
    """Answers each conversation with the same lines in order; past the end it repeats the last."""

    def __init__(self, says: Sequence[Say] = ("ok",)) -> None:
        self.says = list(says)
        self.heard: list[str] = []
        self.contexts: list[CallContext] = []
        self.closed_sessions = 0
        self.card = AgentCard(id="fake", kind="fake")

    async def open(self, context: CallContext) -> "FakeSession":
        self.contexts.append(context)
        return FakeSession(self)

    async def close(self) -> None: ...


class FakeSimulator(FakeTarget):
    """Plays the user: each line is a call of its own, so its place in the script outlives a session."""

    async def open(self, context: CallContext) -> "FakeSession":
        session = await super().open(context)
        session.turn = len(self.contexts) - 1
        return session


class FakeSession:
    def __init__(self, target: FakeTarget) -> None:
        self._target = target
        self.turn = 0

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        self._target.heard.append(line.text)
        said = self._target.says[min(self.turn, len(self._target.says) - 1)]
        self.turn += 1
        if isinstance(said, float):
            await asyncio.sleep(said)
            return AgentReply(text="too late")
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, AgentReply) else AgentReply(text=said)

    async def close(self) -> None:
        self._target.closed_sessions += 1


def agent_raises(message: str) -> CallFailed:
    return CallFailed(message, fault="agent")


def calling(*names: str, text: str = "", **fields: Any) -> AgentReply:
    """A reply that called these tools."""
    calls = tuple(ToolCall(id=f"c{n}", name=name, result="ok") for n, name in enumerate(names))
    return AgentReply(text=text, calls=calls, **fields)
