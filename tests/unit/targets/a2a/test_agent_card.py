"""Cards of real servers, of both generations and of both at once."""

import json
from typing import Any

import pytest
from tests.fakes.a2a_recordings import recordings_of

from vivavoce.targets.a2a.agent_card import RemoteCard, chosen, guessed, offers, read_card

# What each server's card says: the interface to use, its path, and whether it streams.
CARDS: dict[tuple[str, str], tuple[str, str, bool]] = {
    ("sdk-1.3.0", "card.agent-card"): ("JSONRPC 1.0", "/rpc", True),
    ("sdk-1.3.0-plain", "card.agent-card"): ("JSONRPC 1.0", "/rpc", True),
    ("sdk-1.3.0-auth", "card.agent-card"): ("JSONRPC 1.0", "/rpc", True),
    ("sdk-0.3.26", "card.agent-card"): ("JSONRPC 0.3", "/", True),
    ("sdk-0.3.26", "card.agent-json"): ("JSONRPC 0.3", "/", True),
    ("sdk-0.2.16", "card.agent-json"): ("JSONRPC 0.3", "/", True),
    ("fasta2a-2.1.1", "card.agent-card"): ("JSONRPC 1.0", "/", True),
    ("fasta2a-0.6", "card.agent-card"): ("JSONRPC 0.3", "/", False),
    ("adk-2.13.0-sdk-1.3.0", "card.agent-card"): ("JSONRPC 1.0", "/", True),
    ("adk-2.13.0-sdk-0.3.26", "card.agent-card"): ("JSONRPC 0.3", "/", True),
    ("agno-3.1.10", "card.agent-card"): ("JSONRPC 0.3", "/a2a/agents/desk/v1/message:stream", True),
    ("langgraph-api-0.16.7", "card.agent-card"): ("JSONRPC 1.0", "/a2a/", True),
    ("strands-1.62.0", "card.agent-card"): ("JSONRPC 0.3", "/", True),
    ("beeai-0.1.85", "card.agent-card"): ("JSONRPC 0.3", "/", True),
    ("python-a2a-0.5.10", "card.agent-card"): ("JSONRPC 0.3", "/", True),
}


def _card(server: str, name: str) -> RemoteCard | None:
    return read_card(json.loads(recordings_of(server)[name].answer))


@pytest.mark.parametrize(("server", "name"), CARDS)
def test_the_card_of_a_real_server_is_read(server: str, name: str) -> None:
    dialect, path, streams = CARDS[server, name]
    card = _card(server, name)
    assert card is not None
    interface = chosen(card)
    assert interface is not None
    at = "/" + interface.url.split("//", 1)[1].partition("/")[2]
    assert (str(interface), card.streams) == (dialect, streams)
    assert at.startswith(path) if path == "/a2a/" else at == path


def test_a_card_with_both_generations_offers_what_the_newer_list_says() -> None:
    card = _card("sdk-1.3.0", "card.agent-card")
    assert card is not None
    assert offers(card) == "JSONRPC 1.0, JSONRPC 0.3, HTTP+JSON 1.0, HTTP+JSON 0.3, GRPC 1.0"
    assert str(chosen(card, "HTTP+JSON")) == "HTTP+JSON 1.0"
    assert str(chosen(card, version="0.3")) == "JSONRPC 0.3"


@pytest.mark.parametrize("no_card", [None, [], {}, {"name": "x"}, {"supportedInterfaces": [{}]}, {"url": None}])
def test_what_names_no_address_is_no_card(no_card: Any) -> None:
    assert read_card(no_card) is None


def test_the_extended_card_is_promised_in_two_ways() -> None:
    old = read_card({"url": "http://h/", "supportsAuthenticatedExtendedCard": True})
    new = read_card({"supportedInterfaces": [{"url": "http://h/"}], "capabilities": {"extendedAgentCard": True}})
    assert old is not None
    assert new is not None
    assert (old.has_extended, new.has_extended) == (True, True)
    assert str(chosen(new)) == "JSONRPC 1.0"


def test_without_a_card_the_newer_version_is_tried_first() -> None:
    assert [str(each) for each in guessed("http://h/", None, None)] == ["JSONRPC 1.0", "JSONRPC 0.3"]
    assert [str(each) for each in guessed("http://h/", "HTTP+JSON", "0.3")] == ["HTTP+JSON 0.3"]
