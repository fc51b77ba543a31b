"""Where a redirect may lead: to the same server and nowhere else, whatever the server writes."""

import asyncio
import ssl

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from multidict import CIMultiDict
from tests.fakes.tls import self_signed
from tests.unit.net.test_http_client import Recorder, served
from yarl import URL

from vivavoce.net.http_client import HttpClient
from vivavoce.net.http_connection import HttpConnection, HttpResponse
from vivavoce.net.redirects import RedirectRefused, redirected
from vivavoce.targets.http_exchange import ConnectionBroken, HttpCaller

MOVED = (301, 302, 303, 307, 308)
HERE = URL("http://me:pw@a.example:8080/x/y?z")
PIECES = st.sampled_from(
    [
        *("http:", "https:", "ftp:", "javascript:", "//", "/", "\\", "?", "#", "@", ":", "..", "%2f", "%00", "[", "]"),
        *("a.example", "a.example:8080", "A.EXAMPLE:8080", "a.example.", "b.example", "b.example:8080", "u:p@", "8080"),
        *("\udcff", "\t", " ", "ö", "。", "::1", "0", "65536", "-1", "x"),
    ]
)


def answered(status: int, *locations: str) -> HttpResponse:
    connection = HttpConnection(lambda _: None, lambda _: None)
    return HttpResponse(connection, status, CIMultiDict([("Location", each) for each in locations]))


def led_to(at: URL, response: HttpResponse) -> tuple[URL | None, str]:
    try:
        return redirected(at, response), ""
    except RedirectRefused as refusal:
        return None, str(refusal)


@pytest.mark.fuzz
@given(
    status=st.sampled_from(MOVED),
    location=st.lists(PIECES, max_size=7).map("".join) | st.text(st.characters(codec="latin-1"), max_size=20),
    at=st.sampled_from([HERE, URL("https://a.example/x"), URL("http://a.example/x")]),
)
@example(307, "http://b.example:8080/x", HERE)
@example(307, "//b.example", URL("http://a.example/x"))
@example(307, "https://a.example:9/x", HERE)
@example(307, "https://a.example/x", HERE)
@example(307, "http://a.example:9/x", HERE)
@example(307, "http://a.example/x", URL("https://a.example/x"))
@example(307, "http://a.example:443/x", URL("https://a.example/x"))
def test_a_redirect_leads_to_the_same_server_or_is_refused(status: int, location: str, at: URL):
    target, refusal = led_to(at, answered(status, location))
    assert "pw" not in refusal
    refusal.encode()
    if target is None:
        assert refusal
        return
    assert (target.host, target.user, target.password) == (at.host, at.user, at.password)
    upgraded = (at.scheme, target.scheme) == ("http", "https") and (at.port, target.port) in ((80, 443), (8080, 8080))
    assert upgraded or (target.scheme, target.port) == (at.scheme, at.port)


def test_an_answer_that_is_no_redirect_is_the_answer():
    assert redirected(HERE, answered(200, "http://b.example/")) is None
    assert redirected(HERE, answered(302)) is None
    assert redirected(HERE, answered(304, "http://b.example/")) is None
    with pytest.raises(RedirectRefused, match="2 addresses at once"):
        redirected(HERE, answered(307, "/a", "http://b.example/"))


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_nothing_goes_to_tls_on_another_port(method: str, monkeypatch: pytest.MonkeyPatch, tmp_path):
    """Whoever listens there need not be the server that was named."""
    certificate = self_signed(tmp_path, "127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    other = Recorder(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    http = HttpClient()
    async with served(other, tls) as other_port:
        moved = f"HTTP/1.1 307 Moved\r\nLocation: https://127.0.0.1:{other_port}/\r\nContent-Length: 0\r\n\r\n"
        async with served(Recorder(moved.encode())) as port:
            caller = HttpCaller(http, {"X-Key": "secret"}, 5)
            with pytest.raises(ConnectionBroken, match="redirects to another host"):
                async with caller.request(method, f"http://127.0.0.1:{port}/", b"private", {"X-Key": "secret"}):
                    pass
            await http.close()
            await asyncio.sleep(0)
    assert other.heads == []
    assert other.connections == 0
