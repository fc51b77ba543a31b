"""The conversation behind the `viva` fixture."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from vivavoce import CallFailed, UsageError
from vivavoce.api.talking import Stage, Viva
from vivavoce.app.request import RunRequest
from vivavoce.project.project import Project


async def remembering(messages: list[dict[str, Any]]) -> str:
    return " | ".join(message["content"] for message in messages if message["role"] == "user")


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncGenerator[Stage]:
    stage = Stage(Project(root=tmp_path), RunRequest(timeout=60))
    yield stage
    await stage.clear()


async def test_the_conversation_grows(stage: Stage):
    viva = Viva(stage, remembering)
    assert (await viva.say("one")).text == "one"
    reply = await viva.say("two")
    assert reply.text == "one | two"
    assert [turn.line.text for turn in viva.transcript.turns] == ["one", "two"]
    assert reply.before.turns[0].line.text == "one"
    assert repr(reply) == "Reply('one | two')"


async def test_another_agent_has_a_conversation_of_its_own(stage: Stage):
    viva = Viva(stage, remembering)
    other = viva.agent(lambda text: {"got": text})
    await viva.say("one")
    assert (await other.say("x")).output == {"got": "x"}
    assert (await viva.say("two")).text == "one | two"
    assert len(stage.conversations) == 2


async def test_two_functions_of_one_name_stay_apart(stage: Stage):
    def numbered(number: int) -> Any:
        return lambda text: f"{number}: {text}"

    agents = [numbered(number) for number in range(3)]
    replies = [await Viva(stage, agent).say("x") for agent in agents]
    assert [reply.text for reply in replies] == ["0: x", "1: x", "2: x"]


async def test_an_agent_that_raises_is_told_and_the_line_was_never_said(stage: Stage):
    async def moody(text: str) -> str:
        if text == "raise":
            raise ValueError("boom")
        return text

    viva = Viva(stage, moody)
    with pytest.raises(CallFailed, match="agent error: ValueError: boom"):
        await viva.say("raise")
    await viva.say("fine")
    assert [turn.line.text for turn in viva.transcript.turns] == ["fine"]


async def test_an_agent_that_hangs_is_told_and_the_line_was_never_said(tmp_path: Path):
    async def hanging(text: str) -> str:
        await asyncio.sleep(600)
        return text

    stage = Stage(Project(root=tmp_path), RunRequest(timeout=0.05))
    viva = Viva(stage, hanging)
    with pytest.raises(CallFailed, match="no answer within 50ms"):
        await viva.say("hang")
    assert viva.transcript.turns == ()
    await stage.clear()


async def test_an_unknown_agent_is_a_usage_error(stage: Stage):
    with pytest.raises(UsageError, match="unknown agent 'nobody'"):
        await Viva(stage, "nobody").say("x")


async def test_after_clearing_everything_begins_anew(stage: Stage):
    viva = Viva(stage, remembering)
    await viva.say("one")
    await stage.clear()
    assert (await viva.say("two")).text == "two"


async def test_parts_can_be_said(stage: Stage):
    seen: list[Any] = []
    viva = Viva(stage, lambda messages: seen.append(messages[-1]["content"]) or "ok")
    await viva.say([{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:,"}}])
    assert seen[0][1]["type"] == "image_url"


async def test_sync_inside_a_loop_tells_how_it_is_done(stage: Stage):
    with pytest.raises(UsageError, match=r"await viva\.say"):
        Viva(stage, remembering).sync.say("x")


def test_sync_talks_without_a_loop(tmp_path: Path):
    stage = Stage(Project(root=tmp_path), RunRequest())
    viva = Viva(stage, remembering).sync
    assert viva.say("one").text == "one"
    assert viva.say("two").text == "one | two"
    assert viva.agent(lambda text: text).say("x").text == "x"
    assert len(viva.transcript.turns) == 2
    stage.close()


def test_one_test_keeps_to_one_loop(tmp_path: Path):
    stage = Stage(Project(root=tmp_path), RunRequest())
    viva = Viva(stage, remembering)
    viva.sync.say("one")
    with pytest.raises(UsageError, match="one test, one event loop"):
        asyncio.run(_say(viva, "two"))
    stage.close()


async def _say(viva: Viva, text: str) -> None:
    await viva.say(text)


async def test_the_history_sent_is_whole_but_what_is_kept_is_masked(stage: Stage):
    viva = Viva(stage, remembering)
    await viva.say("first")
    stage.resources.secrets.add("hush-hush")
    assert (await viva.say("hush-hush")).text == "first | ***"
    assert (await viva.say("third")).text == "first | *** | third"
    assert "hush-hush" not in str(viva.transcript)
