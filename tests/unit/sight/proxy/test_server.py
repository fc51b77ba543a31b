"""The proxy's server with a real provider behind it and raw clients before it."""

import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from tests.fakes.model_provider import DONE, ModelProvider

from vivavoce.errors import VivaError
from vivavoce.metering.prices import PriceList
from vivavoce.model.json_value import JsonObject
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import AgentReply, Provisions
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.masking import Censor

TOOLS: list[JsonObject] = [
    {"type": "function", "function": {"name": name, "parameters": {}}} for name in ("find_order", "refund")
]


class Proxied:
    """A server with one conversation."""

    def __init__(self, provider: ModelProvider) -> None:
        providers = providers_of({"openai": provider.url}, "shop")
        self.server = ProxyServer(0, providers)
        self.server.start()
        self.tap = ConversationTap(
            "shop",
            providers=providers,
            server=self.server,
            provisions=Provisions(session_id="s"),
            lines=["refund it"],
            prices=PriceList({}),
            censor=Censor(Secrets()),
            attempt_tape=None,
            sees=True,
            takes_faults=False,
        )
        self.server.taps.add(self.tap)
        self.tap.begin_turn(1, Provisions(session_id="s"))

    def post(self, path: str, body: object) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(urlsplit(self.server.root).netloc)
        headers = {"content-type": "application/json", "accept-encoding": "gzip"}
        connection.request("POST", path, json.dumps(body), headers)
        try:
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()


def question(*, stream: bool = False) -> dict[str, object]:
    return {"model": "m", "stream": stream, "tools": TOOLS, "messages": [{"role": "user", "content": "refund it"}]}


@pytest.fixture(params=[False, True], ids=["plain", "gzip"])
def proxied(request: pytest.FixtureRequest) -> Iterator[Proxied]:
    with ModelProvider(zipped=request.param) as provider:
        made = Proxied(provider)
        yield made
        made.server.close()


async def seen(proxied: Proxied) -> AgentReply:
    return await proxied.tap.end_turn(1, AgentReply(text=DONE, shows_calls=False), 0.0, 1.0)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_an_answer_passes_uncompressed_and_its_call_is_seen(proxied: Proxied, stream: bool):
    path = f"/c/{proxied.tap.token}/openai/v1/chat/completions"
    status, headers, body = proxied.post(path, question(stream=stream))
    assert status == 200
    assert "content-encoding" not in headers
    assert b"find_order" in body
    assert [call.name for call in (await seen(proxied)).calls] == ["find_order"]


async def test_the_conversation_is_found_by_what_it_says(proxied: Proxied):
    assert proxied.post("/openai/v1/chat/completions", question())[0] == 200
    assert [call.name for call in (await seen(proxied)).calls] == ["find_order"]


@pytest.mark.parametrize(
    ("path", "told"), [("/c/nobody/openai/v1/x", "is over"), ("/elsewhere/v1", "knows no provider at /elsewhere/v1")]
)
def test_requests_that_lead_nowhere_are_refused(proxied: Proxied, path: str, told: str):
    status, headers, body = proxied.post(path, {})
    assert (status, headers["x-should-retry"]) == (404, "false")
    assert told in body.decode()


def test_without_a_conversation_nothing_is_passed_on(proxied: Proxied):
    proxied.server.taps.remove(proxied.tap)
    status, _, body = proxied.post("/openai/v1/chat/completions", question())
    assert status == 404
    assert b"belongs to no case" in body
    assert proxied.server.strays == 1


async def test_a_stream_that_is_cut_off_leaves_doubt():
    with ModelProvider(break_after=200) as provider:
        broken = Proxied(provider)
        broken.post(f"/c/{broken.tap.token}/openai/v1/chat/completions", question(stream=True))
        reply = await broken.tap.end_turn(1, AgentReply(text="", shows_calls=False), 0.0, 1.0)
        broken.server.close()
    assert reply.unread


def test_a_provider_that_is_gone_is_a_502():
    with ModelProvider() as provider:
        made = Proxied(provider)
    status, _, body = made.post(f"/c/{made.tap.token}/openai/v1/chat/completions", question())
    made.server.close()
    assert status == 502
    assert b"openai cannot be reached" in body


def test_a_port_that_is_taken_is_told(proxied: Proxied):
    port = urlsplit(proxied.server.root).port or 0
    with pytest.raises(VivaError, match="cannot listen on port"):
        ProxyServer(port, {})
