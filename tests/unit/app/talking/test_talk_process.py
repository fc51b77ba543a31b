"""The process of one conversation, at its end of the link: what it tells, and when it stops."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from vivavoce.app.talking.frames import (
    Answered,
    Answering,
    Closed,
    End,
    FromAgent,
    Opened,
    Say,
    Unanswered,
    frame,
    read_from_agent,
)
from vivavoce.app.talking.talk_process import converse

AGENT = """
import asyncio

async def agent(messages):
    said = messages[-1]["content"]
    if said == "raise":
        raise ValueError("no stock left")
    if said == "hang":
        open("hanging", "w").close()
        await asyncio.sleep(600)
    return f"{len(messages)}: {said}"
"""


class Page:
    """The other end of the link."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, message: Say | End) -> None:
        self._writer.write(frame(message))

    async def hear(self) -> FromAgent | None:
        return await read_from_agent(self._reader)

    def leave(self) -> None:
        self._writer.close()


@asynccontextmanager
async def talking(agent: str = "python:agents.py:agent") -> AsyncIterator[tuple[Page, "asyncio.Task[None]"]]:
    mine, theirs = socket.socketpair()
    for end in (mine, theirs):
        end.setblocking(False)
    talk = asyncio.create_task(converse(theirs, agent, None))
    page = Page(*await asyncio.open_connection(sock=mine))
    try:
        yield page, talk
    finally:
        page.leave()
        await asyncio.wait_for(talk, 60)


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("run: {timeout: 90s}\n")
    Path("agents.py").write_text(AGENT)


async def test_lines_are_answered_in_one_conversation_until_the_end():
    async with talking() as (page, _):
        assert await page.hear() == Opened(90.0)
        for said, answer in (("hi", "1: hi"), ("ho", "3: ho")):
            page.send(Say(said))
            assert await page.hear() == Answering(said)
            told = await page.hear()
            assert isinstance(told, Answered)
            assert msgspec.json.decode(told.row)["output"] == answer
        page.send(End())
        assert await page.hear() == Closed()


async def test_an_error_is_told_and_the_conversation_goes_on():
    async with talking() as (page, _):
        await page.hear()
        page.send(Say("raise"))
        await page.hear()
        told = await page.hear()
        assert isinstance(told, Unanswered)
        assert "no stock left" in told.why
        page.send(Say("hi"))
        await page.hear()
        assert isinstance(await page.hear(), Answered)


@pytest.mark.parametrize("how", ["end", "leave"])
async def test_the_end_and_a_page_that_is_gone_stop_an_answer_in_the_middle(how: str):
    async with talking() as (page, talk):
        await page.hear()
        page.send(Say("hang"))
        await page.hear()
        while not Path("hanging").exists():
            await asyncio.sleep(0.01)
        if how == "leave":
            page.leave()
        else:
            page.send(End())
            assert await page.hear() == Closed()
        await asyncio.wait_for(talk, 60)


async def test_an_agent_that_does_not_exist_ends_it_with_the_reason():
    async with talking("python:nowhere.py:agent") as (page, _):
        told = await page.hear()
        assert isinstance(told, Closed)
        assert "nowhere" in told.problem


async def test_no_frame_has_a_secret_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    key = "sk-planted-Zq81x77"
    monkeypatch.setenv("SHOP_KEY", key)
    (tmp_path / "viva.yaml").write_text("variables: {key: '${ENV.SHOP_KEY}'}\n")
    told = """
def agent(messages):
    if messages[-1]["content"] == "raise":
        raise ValueError("sk-planted-Zq81x77")
    return {"content": "sk-planted-Zq81x77", "tool_calls": [{"name": "look", "args": {"key": "sk-planted-Zq81x77"}}]}
"""
    (tmp_path / "tells.py").write_text(told)
    async with talking("python:tells.py:agent") as (page, _):
        heard = [await page.hear()]
        for line in ("hello", "raise"):
            page.send(Say(content=line))
            heard += [await page.hear(), await page.hear()]
        page.send(End())
    assert [type(one) for one in heard] == [Opened, Answering, Answered, Answering, Unanswered]
    assert key not in msgspec.json.encode(heard).decode()
    assert "***" in msgspec.json.encode(heard[2]).decode()
    assert "***" in msgspec.json.encode(heard[4]).decode()
