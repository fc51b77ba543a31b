"""Messages between two processes: each is its length and then its bytes."""

from asyncio import StreamReader, StreamWriter

_LENGTH_BYTES = 8


async def write_frame(writer: StreamWriter, data: bytes) -> None:
    writer.write(len(data).to_bytes(_LENGTH_BYTES) + data)
    await writer.drain()


async def read_frame(reader: StreamReader) -> bytes:
    """Returns the next message. Raises EOFError (as asyncio.IncompleteReadError) when the other side is gone."""
    length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES))
    return await reader.readexactly(length)
