"""One conversation as the page sees it: its states, its entries, and how it ends."""

import asyncio
from typing import Any

from msgspec import Raw
from tests.fakes.result_builders import turn

from vivavoce.app.talking.frames import Answered, Answering, Closed, FromAgent, Opened, Say, SoFar, Unanswered
from vivavoce.results.encoding import encoded
from vivavoce.viewer.talk import Talk

ROW = Raw(b'{"turn":1}')
ANSWERED = Answered(Raw(encoded(turn(1, "hi", "hello"))), ROW)


class Link:
    """The process of the conversation, at its link: what it tells is put in, what it hears is kept."""

    def __init__(self) -> None:
        self.tells: asyncio.Queue[FromAgent | None] = asyncio.Queue()
        self.heard: list[Any] = []
        self.printed = ""
        self.closed = False

    def say(self, said: Say) -> None:
        self.heard.append(said.content)

    def end(self) -> None:
        self.heard.append("end")
        self.tells.put_nowait(Closed())

    async def next(self) -> FromAgent | None:
        return await self.tells.get()

    async def close(self) -> str:
        self.closed = True
        return "exit code 3"


async def after(*messages: FromAgent | None) -> tuple[Talk, Link]:
    """A conversation whose process told so much and is over."""
    link = Link()
    talk = Talk("t1", "shop", link)  # type: ignore[arg-type]
    for message in messages:
        link.tells.put_nowait(message)
    await talk.follow()
    return talk, link


async def test_it_opens_answers_and_is_ready_again():
    link = Link()
    talk = Talk("t1", "shop", link)  # type: ignore[arg-type]
    following = asyncio.create_task(talk.follow())
    states: list[str] = [talk.now.state]
    for message in (Opened(30.0), Answering("hi"), SoFar(Raw(b"{}")), ANSWERED):
        link.tells.put_nowait(message)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        states.append(talk.now.state)
    assert states == ["opening", "ready", "answering", "answering", "ready"]
    assert (talk.now.timeout_s, talk.turns, len(talk.entries), talk.now.input) == (30.0, 1, 1, None)
    talk.end()
    await following
    assert (talk.is_over, talk.now.problem) == (True, "")


async def test_a_line_that_got_no_answer_is_shown_and_is_no_part_of_the_conversation():
    talk, _ = await after(Opened(30.0), Answering("hi"), Unanswered(ROW, "no stock"), Closed())
    assert [entry.failed for entry in talk.entries] == ["no stock"]
    assert (talk.turns, talk.transcript.turns) == (0, ())


async def test_what_was_said_is_a_transcript_that_a_person_ended():
    talk, _ = await after(Opened(30.0), Answering("hi"), ANSWERED, Closed())
    assert [one.reply.text for one in talk.transcript.turns] == ["hello"]
    assert talk.transcript.ending is not None


async def test_what_went_wrong_is_told_and_a_process_that_died_with_how():
    talk, link = await after(Closed("no such agent"))
    assert (talk.now.problem, link.closed) == ("no such agent", True)
    talk, _ = await after(Opened(30.0), None)
    assert talk.now.problem == "the agent's process died: exit code 3"


async def test_an_end_by_the_person_is_no_problem_and_is_asked_for_once():
    link = Link()
    talk = Talk("t1", "shop", link)  # type: ignore[arg-type]
    talk.end()
    await talk.follow()
    talk.end()
    assert (talk.now.problem, link.heard) == ("", ["end"])


async def test_a_line_is_shown_as_being_answered_at_once():
    link = Link()
    talk = Talk("t1", "shop", link)  # type: ignore[arg-type]
    talk.say(Say("hi"))
    assert (talk.now.state, talk.now.input, link.heard) == ("answering", "hi", ["hi"])


async def test_news_has_what_is_new_and_ends_with_the_conversation():
    link = Link()
    talk = Talk("t1", "shop", link)  # type: ignore[arg-type]
    following = asyncio.create_task(talk.follow())
    seen: list[tuple[int, str]] = []
    async for fresh, now in talk.news(0):
        seen.append((len(fresh), now.state))
        message = {"opening": Opened(30.0), "ready": ANSWERED if not talk.entries else Closed()}.get(now.state)
        if message is not None:
            link.tells.put_nowait(message)
    await following
    assert seen == [(0, "opening"), (0, "ready"), (1, "ready"), (0, "ended")]


async def test_what_the_agent_printed_is_shown():
    link = Link()
    link.printed = "starting"
    talk = Talk("t1", "shop", link)  # type: ignore[arg-type]
    link.tells.put_nowait(Opened(30.0))
    link.tells.put_nowait(Closed())
    await talk.follow()
    assert talk.now.printed == "starting"
