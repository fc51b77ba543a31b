"""Where messages go to: cards of both generations, cards that lie, and no card at all."""

import asyncio
import gzip
from typing import Any

import pytest
from aiohttp import web
from tests.fakes.a2a_recordings import recordings_of
from tests.fakes.a2a_server import FakeA2aServer, a2a_server, card_for, echo
from tests.fakes.a2a_talk import a2a_talk
from tests.fakes.web_server import Seen, WebServer

from vivavoce.errors import CallFailed
from vivavoce.model.message import ExchangeStatus
from vivavoce.net.http_client import HttpClient
from vivavoce.targets.a2a.discovery import Endpoint, EndpointSettings, card_addresses, find_endpoint
from vivavoce.targets.http_exchange import HttpCaller


async def _find(server: FakeA2aServer, path: str = "", **wanted: Any) -> Endpoint:
    http = HttpClient()
    try:
        caller = HttpCaller(http, {}, 5)
        return await find_endpoint(caller, {}, EndpointSettings(url=server.url + path, **wanted))
    finally:
        await http.close()


def test_the_card_is_looked_for_below_the_address_and_then_below_its_host() -> None:
    assert card_addresses("http://h:1/a/b/?assistant=7") == [
        "http://h:1/a/b/.well-known/agent-card.json?assistant=7",
        "http://h:1/a/b/.well-known/agent.json?assistant=7",
        "http://h:1/.well-known/agent-card.json?assistant=7",
        "http://h:1/.well-known/agent.json?assistant=7",
    ]
    assert card_addresses("http://h:1/my-card.json?x=1") == ["http://h:1/my-card.json?x=1"]


async def test_the_endpoint_itself_finds_the_card_of_its_host() -> None:
    async with a2a_server(echo) as server:
        assert (await _find(server, "/rpc")).interface.url == f"{server.url}/rpc"


async def test_the_card_of_the_host_is_not_taken_for_another_agent() -> None:
    async with a2a_server(echo) as server:
        found = await _find(server, "/other")
    assert found.interface.url == f"{server.url}/other"
    assert [str(each) for each in (found.interface, *found.others)] == ["JSONRPC 1.0", "JSONRPC 0.3"]


async def test_without_a_card_the_versions_are_tried_one_after_the_other() -> None:
    async with a2a_server(echo) as server:
        server.card = {}
        async with a2a_talk(f"{server.url}/rpc") as talk:
            assert (await talk.say("hello")).text == "you said: hello"


async def test_without_a_card_a_refusal_says_that_there_was_none() -> None:
    async with a2a_server(echo) as server, a2a_talk(f"{server.url}/nothing") as talk:
        reply = await talk.say("hello")
    assert reply.status is ExchangeStatus.HTTP_ERROR
    assert f"no agent card was found below {server.url}/nothing" in (reply.error or "")


async def test_what_stands_where_the_card_should_be_is_told_when_the_guess_fails() -> None:
    def page(seen: Seen) -> web.Response:
        return web.Response(status=200 if seen.method == "GET" else 501, text="<html>shop</html>")

    async with WebServer(page) as server, a2a_talk(server.url) as talk:
        reply = await talk.say("hello")
        told = "agent-card.json is not a card: <html>shop</html>): is it the address of an A2A agent?"
    assert reply.status is ExchangeStatus.HTTP_ERROR
    assert told in (reply.error or "")


async def test_a_page_instead_of_a_card_is_told_when_the_guess_works() -> None:
    async with a2a_server(echo) as server:
        server.card = "<html>shop</html>"
        async with a2a_talk(f"{server.url}/rpc") as talk:
            first, second = await talk.say("hello"), await talk.say("again")
    (told,) = first.warnings
    assert "agent-card.json is not a card" in told
    assert f"messages are sent to {server.url}/rpc all the same" in told
    assert (first.text, second.warnings) == ("you said: hello", ())


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost"])
async def test_a_host_that_the_server_made_up_is_replaced_by_the_named_one(host: str) -> None:
    async with a2a_server(echo) as server:
        port = server.url.rpartition(":")[2]
        server.card = card_for(f"http://{host}:{port}")
        found = await _find(server)
    assert (found.interface.url, found.warnings) == (f"{server.url}/rpc", ())


async def test_an_endpoint_nobody_answers_at_is_tried_at_the_named_host_and_told() -> None:
    async with a2a_server(echo) as server:
        server.card = card_for("http://127.0.0.1:9")
        async with a2a_talk(server.url) as talk:
            reply = await talk.say("hello")
    assert reply.text == "you said: hello"
    assert any("where nobody answers" in warning for warning in reply.warnings)


async def test_headers_are_not_sent_to_another_host_that_a_card_names() -> None:
    async with a2a_server(echo) as server:
        server.card = card_for("http://elsewhere.invalid:80")
        with pytest.raises(CallFailed, match=r"names an endpoint on another host, http://elsewhere.invalid") as caught:
            await _find(server, has_headers=True)
        assert "endpoint: http://elsewhere.invalid:80/rpc" in str(caught.value)
        assert (await _find(server)).interface.url == "http://elsewhere.invalid:80/rpc"
        named = await _find(server, has_headers=True, endpoint="http://elsewhere.invalid/rpc")
    assert named.interface.url == "http://elsewhere.invalid/rpc"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_headers_and_messages_are_not_sent_to_another_port_that_a_card_names(host: str) -> None:
    async with a2a_server(echo) as server, a2a_server(echo) as other:
        server.card = card_for(f"http://{host}:{other.url.rpartition(':')[2]}")
        with pytest.raises(CallFailed, match="names an endpoint on another origin") as caught:
            async with a2a_talk(server.url, headers={"Authorization": "Bearer secret"}) as talk:
                await talk.say("hello")
        assert caught.value.fault == "target"
        assert (other.got, other.asked) == ([], [])


async def test_headers_are_not_sent_to_another_scheme_that_a_card_names() -> None:
    async with a2a_server(echo) as server:
        server.card = card_for(server.url.replace("http:", "https:"))
        port = server.url.rpartition(":")[2]
        found = await _find(server, has_headers=True)
        assert found.interface.url == f"http://127.0.0.1:{port}/rpc"


async def test_an_address_that_is_none_is_the_cards_fault() -> None:
    async with a2a_server(echo) as server:
        server.card = card_for("desk")
        with pytest.raises(CallFailed, match=r"names no web address for JSONRPC 1.0: 'desk/rpc'"):
            await _find(server)


async def test_a_card_that_offers_nothing_viva_speaks_says_what_it_offers() -> None:
    async with a2a_server(echo) as server:
        server.card["supportedInterfaces"] = [{"url": "h:1", "protocolBinding": "GRPC", "protocolVersion": "1.0"}]
        with pytest.raises(CallFailed, match=r"offers only GRPC 1.0") as caught:
            await _find(server)
        assert caught.value.fault == "target"
        server.card = card_for(server.url, version="2.0")
        with pytest.raises(CallFailed, match=r"offers only JSONRPC 2.0"):
            await _find(server)


async def test_a_wanted_version_that_the_card_lacks_is_the_users_business() -> None:
    async with a2a_server(echo) as server:
        with pytest.raises(CallFailed, match=r"offers JSONRPC 1.0, not HTTP\+JSON 0.3") as caught:
            await _find(server, transport="HTTP+JSON", version="0.3")
    assert caught.value.fault == "test"


async def test_a_card_that_promises_another_version_is_found_out() -> None:
    async with a2a_server(echo) as server:
        server.card = card_for(server.url, version="0.3")
        async with a2a_talk(server.url) as talk:
            reply = await talk.say("hello")
    assert reply.status is ExchangeStatus.PROTOCOL_ERROR
    assert "it was asked in JSONRPC 0.3, check `version` and `transport`" in (reply.error or "")


async def test_what_is_no_card_is_quoted() -> None:
    async with a2a_server(echo) as server:
        server.card = {"openapi": "3.1"}
        with pytest.raises(CallFailed, match="is no agent card") as caught:
            await _find(server, "/.well-known/agent-card.json")
    assert '"openapi"' in str(caught.value)


async def test_nobody_there_is_told_at_once() -> None:
    async with a2a_server(echo) as server:
        url = server.url
    with pytest.raises(CallFailed, match="cannot connect to") as caught:
        async with a2a_talk(url):
            pass
    assert caught.value.fault == "target"


async def test_the_card_behind_a_login_wants_credentials() -> None:
    refused = recordings_of("sdk-1.3.0-auth")["rpc10.no-token"]
    assert refused.status == 401
    async with a2a_server(echo) as server:
        server.forbidden = True
        with pytest.raises(CallFailed, match="answered HTTP 401") as caught:
            await _find(server)
        assert "Authorization" in (caught.value.hint or "")
        async with a2a_talk(server.url, headers={"Authorization": "Bearer let-me-in"}) as talk:
            assert (await talk.say("hello")).text == "you said: hello"
        assert ("POST", "/rpc") in server.got


@pytest.mark.memory
async def test_a_card_that_grows_without_end_when_unpacked_is_the_servers_fault() -> None:
    packed = gzip.compress(b"a" * 2**27)

    def bomb(_: Seen) -> web.Response:
        return web.Response(body=packed, headers={"Content-Encoding": "gzip", "Content-Type": "application/json"})

    async with WebServer(bomb) as server:
        with pytest.raises(CallFailed, match="more than") as caught:
            async with a2a_talk(server.url):
                pass
    assert caught.value.fault == "target"


async def test_a_card_that_never_comes_whole_ends_at_a_limit_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vivavoce.targets.a2a.target.LONGEST_DISCOVERY_S", 0.3)

    async def slow(seen: Seen) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Type": "application/json"})
        await answer.prepare(seen.request)
        while True:
            await answer.write(b" ")
            await asyncio.sleep(0.05)

    async with WebServer(slow) as server:
        with pytest.raises(CallFailed, match=r"no agent card came from .* in 300ms") as caught:
            async with a2a_talk(server.url):
                pass
    assert caught.value.fault == "target"
