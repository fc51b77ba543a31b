"""What every target must do, whatever it talks to. A target's own tests call the functions that fit it.

`make(behaviour)` gives a fresh target whose agent behaves like this:

    "echo"    answers `you said: TEXT` with TEXT the newest user message
    "count"   answers with the number of messages it was sent
    "whoami"  answers with user, team, locale and the metadata value `colour`, separated by blanks
    "hang"    never answers
    "fail"    cannot be had (the call itself does not work)
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.case import CallOptions, Identity
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.protocols import AgentCard, CallContext, Target

Make = Callable[[str], Target]


class _Closing:
    """`contextlib.aclosing` speaks of `aclose`; ours is `close`."""

    def __init__(self, target: Target) -> None:
        self.target = target

    async def aclose(self) -> None:
        await self.target.close()


def context(**fields: Any) -> CallContext:
    return CallContext(session_id="s-1", case_id="T1", **fields)


async def say(target: Target, *texts: str, history: tuple[Message, ...] = (), **fields: Any) -> list[AgentReply]:
    """The replies to some lines said one after the other in one conversation."""
    session = await target.open(context(**fields))
    transcript = Transcript(history=history)
    try:
        for number, text in enumerate(texts, 1):
            line = Line(content=text, options=CallOptions(metadata={"colour": "blue"}))
            reply = await session.send(line, transcript)
            transcript = transcript.plus(Turn(number=number, line=line, reply=reply))
    finally:
        await session.close()
    return [turn.reply for turn in transcript.turns]


async def it_replies_with_text(make: Make) -> None:
    async with aclosing(_Closing(make("echo"))) as held:
        (reply,) = await say(held.target, "hello")
    assert reply.text == "you said: hello"
    assert reply.output == reply.text


async def it_sees_earlier_turns_and_the_history(make: Make) -> None:
    async with aclosing(_Closing(make("count"))) as held:
        replies = await say(held.target, "one", "two", "three")
        (after_history,) = await say(
            held.target,
            "now",
            history=(Message(role="user", content="before"), Message(role="assistant", content="indeed")),
        )
    assert [reply.text for reply in replies] == ["1", "3", "5"]
    assert after_history.text == "3"


async def it_carries_identity_and_options(make: Make) -> None:
    async with aclosing(_Closing(make("whoami"))) as held:
        (reply,) = await say(held.target, "who am I?", identity=Identity(user_id="ann", team_id="ops", locale="de-de"))
    assert reply.text == "ann ops de-de blue"


async def conversations_do_not_mix(make: Make) -> None:
    async with aclosing(_Closing(make("echo"))) as held:
        texts = [f"line {number}" for number in range(20)]
        replies = await asyncio.gather(*(say(held.target, text) for text in texts))
    assert [reply.text for (reply,) in replies] == [f"you said: {text}" for text in texts]


async def a_hanging_agent_can_be_cancelled(make: Make) -> None:
    async with aclosing(_Closing(make("hang"))) as held:
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.15):
                await say(held.target, "hello?")
        assert time.monotonic() - started < 25


async def a_call_that_does_not_work_blames_the_target(make: Make) -> None:
    async with aclosing(_Closing(make("fail"))) as held:
        with pytest.raises(CallFailed) as caught:
            await say(held.target, "hello?")
    assert caught.value.fault == "target"
    assert str(caught.value)


async def closing_twice_does_no_harm(make: Make) -> None:
    target = make("echo")
    await say(target, "hello")
    await target.close()
    await target.close()


async def its_card_tells_what_it_is(make: Make, kind: str) -> None:
    async with aclosing(_Closing(make("echo"))) as held:
        card = held.target.card
    assert isinstance(card, AgentCard)
    assert card.kind == kind
    assert card.id


async def every_target_promise(make: Make, kind: str) -> None:
    """All of the above."""
    await it_replies_with_text(make)
    await it_sees_earlier_turns_and_the_history(make)
    await it_carries_identity_and_options(make)
    await conversations_do_not_mix(make)
    await a_hanging_agent_can_be_cancelled(make)
    await a_call_that_does_not_work_blames_the_target(make)
    await closing_twice_does_no_harm(make)
    await its_card_tells_what_it_is(make, kind)


PROMISES = (
    it_replies_with_text,
    it_sees_earlier_turns_and_the_history,
    it_carries_identity_and_options,
    conversations_do_not_mix,
    a_hanging_agent_can_be_cancelled,
    a_call_that_does_not_work_blames_the_target,
    closing_twice_does_no_harm,
)
"""For `@pytest.mark.parametrize("promise", PROMISES)`; `its_card_tells_what_it_is` wants the kind too."""
