"""What a server may send back: whole and broken answers, in every cut."""

import asyncio
import gzip
import zlib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.net.test_http_client import served

from vivavoce.net.http_client import HttpClient
from vivavoce.net.http_failures import AnswerBroken
from vivavoce.net.web_answers import whole

WORDS = b"hello, world " * 50
GZIPPED, DEFLATED = gzip.compress(WORDS), zlib.compress(WORDS)
RAW = zlib.compress(WORDS)[2:-4]


def head(*lines: bytes, status: bytes = b"200 OK") -> bytes:
    return b"\r\n".join([b"HTTP/1.1 " + status, *lines, b"", b""])


def sized(body: bytes, *lines: bytes) -> bytes:
    return head(b"Content-Length: %d" % len(body), *lines) + body


def chunked(body: bytes) -> bytes:
    pieces = [body[at : at + 100] for at in range(0, len(body), 100)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in [*pieces, b""])


WHOLE = {
    "sized": sized(WORDS),
    "chunked": head(b"Transfer-Encoding: chunked") + chunked(WORDS),
    "until the connection ends": head() + WORDS,
    "HTTP/1.0": b"HTTP/1.0 200 OK\r\n\r\n" + WORDS,
    "gzip": sized(GZIPPED, b"Content-Encoding: gzip"),
    "gzip in two parts": sized(gzip.compress(WORDS[:9]) + gzip.compress(WORDS[9:]), b"Content-Encoding: gzip"),
    "deflate": sized(DEFLATED, b"content-encoding: Deflate"),
    "deflate without zlib's head": sized(RAW, b"Content-Encoding: deflate"),
    "after 100 Continue": head(status=b"100 Continue") + sized(WORDS),
    "after early hints": head(b"Link: </a>", status=b"103 Early Hints") + sized(WORDS),
}
BROKEN = {
    "nothing": b"",
    "half a head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "no HTTP": b"<html>hello</html>\r\n\r\n",
    "a line of a log": b"INFO: started\n",
    "another protocol": head(b"Upgrade: h2c", b"Connection: upgrade", status=b"101 Switching Protocols"),
    "cut off": sized(WORDS)[:-1],
    "chunked, cut off": (head(b"Transfer-Encoding: chunked") + chunked(WORDS))[:-5],
    "a chunk of no size": head(b"Transfer-Encoding: chunked") + b"zz\r\nhello\r\n",
    "gzip, cut off": sized(GZIPPED[:-9], b"Content-Encoding: gzip"),
    "no gzip": sized(WORDS, b"Content-Encoding: gzip"),
    "gzip and more": sized(DEFLATED + b"more", b"Content-Encoding: deflate"),
    "an encoding nobody asked for": sized(WORDS, b"Content-Encoding: br"),
    "two lengths": head(b"Content-Length: 3", b"Content-Length: 4") + b"abcd",
}


async def answer_of(sent: bytes, cuts: list[int]) -> bytes:
    """The body as the client reads it, of an answer sent in pieces and a closed connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True):
            writer.write(sent[start:end])
            await writer.drain()
            await asyncio.sleep(0)

    client = HttpClient()
    async with served(serve) as port:
        try:
            with await client.request("GET", f"http://127.0.0.1:{port}/") as response:
                assert response.status == 200
                return await whole(response)
        finally:
            await client.close()


@pytest.mark.parametrize("kind", WHOLE)
@settings(deadline=None)
@given(data=st.data())
def test_an_answer_is_read_whole_wherever_it_is_cut(kind: str, data: st.DataObject):
    sent = WHOLE[kind]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=4)))
    assert asyncio.run(answer_of(sent, cuts)) == WORDS


@pytest.mark.parametrize("kind", BROKEN)
@settings(deadline=None)
@given(data=st.data())
def test_a_broken_answer_is_never_taken_for_a_whole_one(kind: str, data: st.DataObject):
    sent = BROKEN[kind]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=2)))
    with pytest.raises(AnswerBroken):
        asyncio.run(answer_of(sent, cuts))


async def test_a_second_answer_does_not_become_the_answer_to_the_next_request():
    asked: list[bytes] = []

    async def twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split()[1])
        writer.write(sized(b"mine") + sized(b"planted")[:-3])
        await writer.drain()
        await reader.read()

    client = HttpClient()
    async with served(twice) as port:
        for path in ("/1", "/2"):
            with await client.request("GET", f"http://127.0.0.1:{port}{path}") as response:
                assert await whole(response) == b"mine"
        await client.close()
    assert asked == [b"/1", b"/2"]


async def test_the_rest_of_a_request_that_was_answered_early_is_not_part_of_the_next():
    heads: list[bytes] = []

    async def hasty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).split()[1])
        writer.write(sized(b"too large"))
        await writer.drain()
        await reader.read()

    client = HttpClient()
    async with served(hasty) as port:
        for path in ("/large", "/next"):
            url = f"http://127.0.0.1:{port}{path}"
            with await client.request("POST", url, body=bytes(2**25)) as response:
                assert await whole(response) == b"too large"
        await client.close()
    assert heads == [b"/large", b"/next"]


async def test_words_that_come_while_nothing_was_asked_close_the_connection():
    sent = asyncio.Event()

    async def chatty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(sized(b"mine"))
        await asyncio.sleep(0.02)
        writer.write(sized(b"planted"))
        await writer.drain()
        sent.set()
        await reader.read()

    client = HttpClient()
    async with served(chatty) as port:
        for _ in range(2):
            sent.clear()
            with await client.request("GET", f"http://127.0.0.1:{port}/") as response:
                assert await whole(response) == b"mine"
            await sent.wait()
            await asyncio.sleep(0.02)
        await client.close()


async def test_a_slow_reader_makes_the_server_wait():
    """Ten megabytes are not kept in memory because nobody reads them."""
    sent = 0

    async def eager(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head(b"Content-Length: %d" % (10 * 2**20)))
        for _ in range(160):
            writer.write(b"x" * 2**16)
            await writer.drain()
            sent += 2**16

    client = HttpClient()
    async with served(eager) as port:
        with await client.request("GET", f"http://127.0.0.1:{port}/") as response:
            before = -1
            while before < sent:  # until it stands still
                before = sent
                await asyncio.sleep(0.2)
            assert 0 < sent < 9 * 2**20
            assert len(await whole(response)) == 10 * 2**20
        await client.close()


ENDLESS = {
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n" * 1000),
    "one header": (b"HTTP/1.1 200 OK\r\nX-A: ", b"a" * 8000),
    "the name of a header": (b"HTTP/1.1 200 OK\r\n", b"X" * 8000),
    "the reason": (b"HTTP/1.1 200 ", b"O" * 8000),
    "answers before the answer": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 300),
}


@pytest.mark.parametrize("what", ENDLESS)
async def test_a_head_without_end_is_cut_off(what: str):
    first, again = ENDLESS[what]
    sent = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(first)
        with suppress(ConnectionError):
            while sent < 200_000_000:
                writer.write(again)
                sent += len(again)
                await writer.drain()

    client = HttpClient()
    async with served(serve) as port:
        with pytest.raises(AnswerBroken, match=r"its headers have more than 1 MB|is not HTTP"):
            await client.request("GET", f"http://127.0.0.1:{port}/")
        await client.close()
    assert sent < 50_000_000


async def test_headers_behind_the_body_are_not_kept():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        trailers = b"X-A: b\r\n" * 10_000
        writer.write(head(b"Transfer-Encoding: chunked") + b"5\r\nhello\r\n0\r\n" + trailers + b"\r\n")

    client = HttpClient()
    async with served(serve) as port:
        with await client.request("GET", f"http://127.0.0.1:{port}/") as response:
            assert await whole(response) == b"hello"
            assert "X-A" not in response.headers
        await client.close()
