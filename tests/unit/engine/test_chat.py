"""Talking freely: each line has its own time, a failed one can be said again."""

import asyncio
from pathlib import Path
from typing import Any

from vivavoce.engine.chat import converse_freely
from vivavoce.engine.run_settings import RunSettings
from vivavoce.engine.wiring import RunResources
from vivavoce.model.case import Case
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript, Turn
from vivavoce.project.project import Project
from vivavoce.protocols import Session


class Talker:
    """A person who says these lines, and keeps what is shown."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.shown: list[str] = []
        self.seen: list[int] = []

    async def next_line(self, transcript: Transcript) -> Line | Ending:
        self.seen.append(len(transcript.turns))
        if not self._lines:
            return Ending(EndReason.ENDED_BY_HUMAN)
        return Line(content=self._lines.pop(0), source="interactive")

    def close(self) -> None:
        self.shown.append("closed")

    def opened(self, session: Session) -> None:
        self.shown.append("opened")

    def answered(self, turn: Turn) -> None:
        self.shown.append(f"{turn.number}: {turn.reply.text}")

    def unanswered(self, turn: Turn, why: str) -> None:
        self.shown.append(f"{turn.number} failed: {why}")


async def talked(root: Path, agent: Any, talker: Talker, timeout_s: float = 30.0) -> Transcript:
    resources = RunResources(Project(root=root), RunSettings(timeout_s=timeout_s))
    resources.settings = RunSettings(agent=resources.adopt(agent), timeout_s=timeout_s)
    try:
        return await converse_freely(resources, Case(id="talk"), talker, talker)
    finally:
        await resources.close()


async def test_everything_said_is_told_in_order(tmp_path: Path):
    talker = Talker("a", "b")
    transcript = await talked(tmp_path, lambda messages: messages[-1]["content"].upper(), talker)
    assert talker.shown == ["opened", "1: A", "2: B", "closed"]
    assert [turn.line.text for turn in transcript.turns] == ["a", "b"]
    assert transcript.ending == Ending(EndReason.ENDED_BY_HUMAN)


async def test_a_line_without_an_answer_is_not_part_of_the_conversation(tmp_path: Path):
    def agent(messages: list[dict[str, Any]]) -> str:
        if messages[-1]["content"] == "bad":
            raise ValueError("no stock left")
        return f"{len(messages)} messages"

    talker = Talker("a", "bad", "b")
    transcript = await talked(tmp_path, agent, talker)
    assert [turn.line.text for turn in transcript.turns] == ["a", "b"]
    assert talker.shown[1] == "1: 1 messages"
    assert talker.shown[2].startswith("2 failed: ")
    assert "no stock left" in talker.shown[2]
    # The agent never hears of the failed line again.
    assert talker.shown[3] == "2: 3 messages"
    assert talker.seen == [0, 1, 1, 2]


async def test_each_line_has_the_whole_time(tmp_path: Path):
    async def agent(messages: list[dict[str, Any]]) -> str:
        if messages[-1]["content"] == "hang":
            await asyncio.Event().wait()
        return "ok"

    talker = Talker("hang", "a", "b")
    await talked(tmp_path, agent, talker, timeout_s=2)
    assert talker.shown == ["opened", "1 failed: no answer within 2s", "1: ok", "2: ok", "closed"]
