import asyncio

from msgspec import Raw

from vivavoce.app.talking.frames import Closed, GivenAnswer, Say, SoFar, frame, read_from_agent, read_to_agent


def stream(data: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return reader


async def test_messages_come_as_they_were_sent():
    sent = Say([{"type": "text", "text": "é\n"}], (GivenAnswer("1", "cancel"),))
    reader = stream(frame(sent) + frame(Say("again")))
    assert await read_to_agent(reader) == sent
    assert await read_to_agent(reader) == Say("again")
    assert await read_to_agent(reader) is None


async def test_what_the_agent_showed_is_not_read_on_the_way():
    shown = SoFar(Raw(b'{"texts":["a"]}'))
    found = await read_from_agent(stream(frame(shown)))
    assert isinstance(found, SoFar)
    assert bytes(found.reply) == b'{"texts":["a"]}'


async def test_the_end_of_the_stream_and_nonsense_are_both_the_end():
    assert await read_from_agent(stream(b"")) is None
    assert await read_from_agent(stream(frame(Closed())[:-1])) is None
    assert await read_from_agent(stream(b"\0\0\0\1x")) is None
    assert await read_from_agent(stream(b"\xff\xff\xff\xff")) is None
