"""The data of a server-sent event stream, whatever way the bytes were cut."""

from collections.abc import AsyncIterable, AsyncIterator


async def event_data(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Each event's data in order: its `data:` lines joined; comments, names and empty events left out."""
    data: list[bytes] = []
    async for line in _lines(chunks):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data = []
    if data:
        # Some servers close right after the last line, without the blank one.
        yield b"\n".join(data)


async def _lines(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    unfinished: list[bytes] = []
    async for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            unfinished.append(line)
            yield b"".join(unfinished).removesuffix(b"\r")
            unfinished = []
        unfinished.append(rest)
    if last := b"".join(unfinished).removesuffix(b"\r"):
        yield last
