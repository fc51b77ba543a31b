"""The HTTP client, against real servers on loopback: kept connections, proxies, TLS, and what is never sent."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from tests.fakes.tls import self_signed

from vivavoce.errors import BrokenEnvironment
from vivavoce.net.http_address import http_address
from vivavoce.net.http_client import HttpClient, _written
from vivavoce.net.http_failures import AnswerBroken, CannotConnect, ConnectTimedOut
from vivavoce.net.web_answers import whole

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ftp_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    made = HttpClient()
    yield made
    await made.close()


@asynccontextmanager
async def served(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(closing, "127.0.0.1", 0, ssl=tls) as server:
        yield server.sockets[0].getsockname()[1]


class Recorder:
    """Answers every request on a connection and keeps its head and body."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.connections = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            sizes = [line.split(":")[1] for line in head.splitlines() if line.lower().startswith("content-length:")]
            self.bodies.append(await reader.readexactly(int(sizes[0])) if sizes else b"")
            writer.write(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
            await writer.drain()


async def asked(client: HttpClient, port: int, path: str = "/", scheme: str = "http", **more: object) -> bytes:
    url = f"{scheme}://127.0.0.1:{port}{path}"
    with await client.request("POST", url, body=b"hi", **more) as response:  # type: ignore[arg-type]
        return await whole(response)


async def test_a_request_has_its_headers_and_its_body_and_nothing_else(client: HttpClient):
    server = Recorder(OK)
    async with served(server) as port:
        headers = {"Content-Type": "text/plain", "accept": "a/b", "X-Key": "schlüssel"}
        assert await asked(client, port, "/a path?q=ö", headers=headers) == b"ok"
    lines = server.heads[0].splitlines()
    assert lines[:2] == ["POST /a%20path?q=%C3%B6 HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    assert sorted(line.partition(":")[0] for line in lines[2:-1]) == [
        *("Accept-Encoding", "Content-Length", "Content-Type", "User-Agent", "X-Key", "accept")
    ]
    assert "X-Key: schlüssel" in lines
    assert server.bodies == [b"hi"]


async def test_connections_are_kept_and_shared_only_by_the_same_server(client: HttpClient):
    one, other = Recorder(OK), Recorder(OK)
    async with served(one) as port, served(other) as other_port:
        for _ in range(5):
            await asked(client, port)
            await asked(client, other_port)
    assert (one.connections, other.connections) == (1, 1)


async def test_a_connection_that_the_server_may_be_closing_is_not_used_again(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
):
    """gunicorn closes one that was unused for two seconds: what is sent at that moment is lost."""
    server = Recorder(OK)
    async with served(server) as port:
        await asked(client, port)
        since = time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: since() + 1.5)
        await asked(client, port)
    assert server.connections == 2


async def test_answers_of_many_requests_at_once_are_not_mixed(client: HttpClient):
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            path = (await reader.readuntil(b"\r\n\r\n")).split()[1]
            await reader.readexactly(2)
            await asyncio.sleep(0)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(path), path))

    async with served(echo) as port:

        async def some(worker: int) -> None:
            for n in range(40):
                assert await asked(client, port, f"/{worker}/{n}") == f"/{worker}/{n}".encode()

        await asyncio.gather(*(some(worker) for worker in range(8)))


async def test_a_connection_that_the_server_closed_is_not_used_again(client: HttpClient):
    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await writer.drain()

    async with served(once) as port:
        for _ in range(3):
            assert await asked(client, port) == b"ok"
            await asyncio.sleep(0.05)  # its end arrives meanwhile


async def test_a_get_is_asked_again_on_a_kept_connection_that_broke_and_a_post_never(client: HttpClient):
    seen: list[bytes] = []

    async def second_time_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append((await reader.readuntil(b"\r\n\r\n")).split()[0])
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        seen.append((await reader.readuntil(b"\r\n\r\n")).split()[0])

    async with served(second_time_silent) as port:
        url = f"http://127.0.0.1:{port}/"
        for _ in range(2):
            with await client.request("GET", url) as response:
                assert response.status == 200
        assert seen == [b"GET"] * 3
        with pytest.raises(AnswerBroken, match="disconnected"):
            await client.request("POST", url)
    assert seen == [b"GET"] * 3 + [b"POST"]


async def test_one_that_was_not_read_to_its_end_is_closed(client: HttpClient):
    server = Recorder(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", OK)
    async with served(server) as port:
        with await client.request("GET", f"http://127.0.0.1:{port}/") as response:
            assert response.status == 200
        assert await asked(client, port) == b"ok"
    assert server.connections == 2


async def test_a_cancelled_request_closes_its_connection_and_leaves_no_answer_to_the_next(client: HttpClient):
    asked_for, closed = asyncio.Event(), asyncio.Event()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1]
        await reader.readexactly(2)
        if path == b"/slow":
            asked_for.set()
            with suppress(ConnectionError):
                await reader.read()
            closed.set()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(path), path))

    async with served(slow) as port:
        waiting = asyncio.create_task(asked(client, port, "/slow"))
        await asked_for.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await closed.wait()
        assert await asked(client, port, "/next") == b"/next"


@pytest.mark.parametrize("value", ["a\r\nb: c", "a\nb", "a\rb", "a\0b"])
async def test_a_header_cannot_become_two(client: HttpClient, value: str):
    with pytest.raises(ValueError, match="line break"):
        await client.request("GET", "http://127.0.0.1:9/", headers={"X": value})


@pytest.mark.parametrize("url", ["ftp://x/", "no address", "http://", "http:///x", "//x", "http://x:99999/"])
async def test_what_is_no_address_is_refused(client: HttpClient, url: str):
    with pytest.raises(ValueError):  # noqa: PT011 - the callers name the address
        await client.request("GET", url)


async def test_nobody_there_and_nobody_in_time(client: HttpClient):
    async with served(Recorder(OK)) as port:
        pass
    with pytest.raises(CannotConnect, match="Connect call failed"):
        await client.request("GET", f"http://127.0.0.1:{port}/")
    with pytest.raises(CannotConnect, match=r"not known|resolution"):
        await client.request("GET", "http://no-such-host.invalid/")
    async with served(Recorder(OK)) as port:
        with pytest.raises(ConnectTimedOut):
            await client.request("GET", f"http://127.0.0.1:{port}/", connect_s=0)


async def test_a_user_and_password_in_the_address_become_a_header(client: HttpClient):
    server = Recorder(OK)
    async with served(server) as port:
        for headers in ({}, {"authorization": "Bearer mine"}):
            with await client.request("GET", f"http://me:p%40ss@127.0.0.1:{port}/", headers=headers) as response:
                await whole(response)
    assert "Authorization: Basic bWU6cEBzcw==" in server.heads[0]
    assert "me:" not in server.heads[0].splitlines()[0]
    assert "Basic" not in server.heads[1]


async def test_tls_is_verified(client: HttpClient, monkeypatch: pytest.MonkeyPatch, tmp_path):
    certificate = self_signed(tmp_path, "127.0.0.1")
    here = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    here.load_cert_chain(certificate)
    async with served(Recorder(OK), here) as port:
        with pytest.raises(CannotConnect, match=r"(?i)certificate"):
            await asked(client, port, scheme="https")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        trusting = HttpClient()
        assert await asked(trusting, port, scheme="https") == b"ok"
        await trusting.close()


async def test_plain_http_goes_through_the_proxy_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, client: HttpClient
):
    proxy = Recorder(OK)
    async with served(proxy) as port:
        monkeypatch.setenv("http_proxy", f"http://me:secret@127.0.0.1:{port}")
        monkeypatch.setenv("no_proxy", "localhost")
        with await client.request("GET", "http://agent.invalid/path?q=1") as response:
            assert await whole(response) == b"ok"
        with pytest.raises(CannotConnect):
            await client.request("GET", "http://localhost:9/")
    lines = proxy.heads[0].splitlines()
    assert lines[:2] == ["GET http://agent.invalid/path?q=1 HTTP/1.1", "Host: agent.invalid"]
    assert "Proxy-Authorization: Basic bWU6c2VjcmV0" in lines


async def test_https_goes_through_a_tunnel(monkeypatch: pytest.MonkeyPatch, client: HttpClient, tmp_path):
    certificate = self_signed(tmp_path, "agent.invalid")
    here = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    here.load_cert_chain(certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    agent = Recorder(OK)
    heads: list[str] = []

    async with served(agent, here) as agent_port:

        async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            there_reads, there_writes = await asyncio.open_connection("127.0.0.1", agent_port)
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")

            async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
                while data := await source.read(65536):
                    sink.write(data)
                sink.close()

            await asyncio.gather(pump(reader, there_writes), pump(there_reads, writer))

        async with served(tunnel) as port:
            monkeypatch.setenv("https_proxy", f"http://me:secret@127.0.0.1:{port}")
            for _ in range(2):
                with await client.request("POST", "https://agent.invalid/x", body=b"hi") as response:
                    assert await whole(response) == b"ok"
            await client.close()
    assert [head.splitlines()[0] for head in heads] == ["CONNECT agent.invalid:443 HTTP/1.1"]
    assert "Proxy-Authorization: Basic bWU6c2VjcmV0" in heads[0]
    assert [head.splitlines()[:2] for head in agent.heads] == [["POST /x HTTP/1.1", "Host: agent.invalid"]] * 2
    assert "Proxy-Authorization" not in agent.heads[0]


async def test_a_proxy_that_refuses_is_named(monkeypatch: pytest.MonkeyPatch, client: HttpClient):
    async with served(Recorder(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")) as port:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
        with pytest.raises(CannotConnect, match=rf"the proxy 127.0.0.1:{port} does not connect .*: HTTP 407"):
            await client.request("GET", "https://agent.invalid/")


async def test_a_proxy_that_is_no_address_is_the_environments_fault(
    monkeypatch: pytest.MonkeyPatch, client: HttpClient
):
    monkeypatch.setenv("HTTPS_PROXY", "nonsense")
    with pytest.raises(BrokenEnvironment, match="PROXY in the environment is no address"):
        await client.request("GET", "http://127.0.0.1:9/")


@pytest.mark.parametrize("name", ["Host", "host", "HOST"])
def test_a_configured_host_replaces_the_one_of_the_address(name: str):
    written = _written("GET", http_address("http://a.invalid/x"), None, {name: "b.invalid"}, None)
    assert written.lower().count(b"host: ") == 1
    assert f"{name}: b.invalid\r\n".encode() in written
    with pytest.raises(ValueError, match="line break"):
        _written("GET", http_address("http://a.invalid/x"), None, {name: "b\r\nX: y"}, None)
