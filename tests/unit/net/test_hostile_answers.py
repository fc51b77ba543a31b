"""A server that writes anything: the answer to one request never becomes that of another."""

import asyncio
import gzip

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.errors import CallFailed
from vivavoce.net.http_connection import HttpConnection
from vivavoce.net.http_failures import HttpFailure
from vivavoce.net.web_answers import whole

STATUS_LINES = st.sampled_from(
    [
        *[b"HTTP/1.1 200 OK"] * 8,
        *(b"HTTP/1.1 200", b"HTTP/1.0 200 OK", b"HTTP/1.1 204 None", b"HTTP/1.1 304 Same", b"HTTP/1.1 100 Continue"),
        *(b"HTTP/1.1 101 Switch", b"HTTP/1.1 099 Odd", b"HTTP/1.1 999 Odd", b"HTTP/2 200", b"ICY 200 OK", b"", b"\0"),
    ]
)
HEADERS = st.sampled_from(
    [
        *(b"Content-Length: 40", b"Content-Length: 0", b"Content-Length: 5", b"Content-Length: -1", b"Content-Length:"),
        *(b"Content-Length: 5, 5", b"Content-Length: 99999999999999999999", b"Content-Length : 5", b" folded"),
        *(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked, gzip", b"Transfer-Encoding: identity"),
        *(b"Content-Encoding: gzip", b"Content-Encoding: deflate", b"Content-Encoding: br", b"X: \xff", b"X: a\rb"),
        *(b"Connection: close", b"Connection: keep-alive", b"Connection: upgrade\r\nUpgrade: h2c", b"X", b": y"),
    ]
)

GOOD = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n%s"
PLANTED = b"299"


class Wire(asyncio.Transport):
    """A connection without a network."""

    def __init__(self) -> None:
        super().__init__()
        self.is_shut = False

    def is_closing(self) -> bool:
        return self.is_shut

    def abort(self) -> None:
        self.is_shut = True

    def write(self, data: bytes | bytearray | memoryview) -> None: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0


@st.composite
def answers(draw: st.DrawFn, mark: bytes) -> bytes:
    words = mark.ljust(40, b".")
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(words), words)
    bodies = [words, words, chunked, gzip.compress(words), b"", words[:9], chunked[:-3], b"zz\r\n" + words, b"0\r\nX"]
    lines = [draw(STATUS_LINES), *draw(st.lists(HEADERS, max_size=3)), b""]
    return b"".join(line + b"\r\n" for line in lines) + draw(st.sampled_from(bodies))


async def heard(connection: HttpConnection, wire: Wire, pieces: list[bytes]) -> tuple[int, bytes]:
    """Sends a request on a connection; the server writes these pieces and, if more is awaited, hangs up."""
    asked = asyncio.ensure_future(connection.exchange(b"GET / HTTP/1.1\r\n\r\n"))
    await asyncio.sleep(0)

    async def answer() -> tuple[int, bytes]:
        with await asked as response:
            return response.status, await whole(response)

    reading = asyncio.ensure_future(answer())
    for piece in pieces:
        if piece and not wire.is_shut:
            connection.data_received(piece)
        await asyncio.sleep(0)
    for _ in range(3):
        await asyncio.sleep(0)
    if wire.is_shut or not reading.done():
        wire.is_shut = True
        connection.connection_lost(None)
    async with asyncio.timeout(60):
        return await reading


async def conversation(written: list[tuple[bytes, list[int]]]) -> list[tuple[int, bytes]]:
    """What a client is told for each request, until the connection cannot be used again."""
    free: list[HttpConnection] = []
    connection, wire = HttpConnection(free.append, lambda _: None), Wire()
    connection.connection_made(wire)
    told: list[tuple[int, bytes]] = []
    for sent, cuts in written:
        free.clear()
        pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
        try:
            told.append(await heard(connection, wire, pieces))
        except (HttpFailure, CallFailed):
            told.append((0, b""))
        if not free or wire.is_shut:
            break
    return told


@st.composite
def unasked(draw: st.DrawFn, mark: bytes) -> bytes:
    """An answer that nobody asked for, or a part of one that the next answer could complete."""
    answer = draw(answers(mark)).replace(b" 200 OK", b" %s Planted" % PLANTED)
    head = answer.partition(b"\r\n\r\n")[0]
    return draw(st.sampled_from([b"", b"", answer, head + b"\r\nX: ", head + b"\r\n", answer[:3], answer[:20]]))


@settings(deadline=None, max_examples=at_most(400))
@given(data=st.data())
def test_no_answer_is_mixed_with_another_whatever_the_server_writes(data: st.DataObject):
    written: list[tuple[bytes, list[int]]] = []
    for number in range(3):
        sent = data.draw(st.just(GOOD % b"mine %d" % number) | answers(b"mine %d" % number))
        sent += data.draw(unasked(b"planted %d" % number))
        written.append((sent, sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=3)))))
    for number, (status, body) in enumerate(asyncio.run(conversation(written))):
        assert status == 0 or 200 <= status < 1000
        assert status != int(PLANTED) or PLANTED in written[number][0]
        assert not any(b"mine %d" % other in body or b"planted %d" % other in body for other in range(number))
