"""Finds the card of the agent at an address, and with it the endpoint that messages go to."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct, structs
from yarl import URL

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.net.server_sent_events import FrameTooLarge
from vivavoce.targets.a2a.agent_card import RemoteCard, chosen, guessed, offers, read_card
from vivavoce.targets.a2a.wire import Interface, Transport, Version, card_request, version_headers
from vivavoce.targets.http_exchange import ConnectionBroken, HttpCaller, NotReached
from vivavoce.wording.quoting import quote_bytes

WELL_KNOWN = ("/.well-known/agent-card.json", "/.well-known/agent.json")
_EVERYWHERE = frozenset({"0.0.0.0", "::", "localhost", "127.0.0.1", "::1"})
_MOST_OF_A_CARD = 2**24
_QUOTED = 80
_CREDENTIALS = "credentials belong under `headers` of the agent, e.g. `Authorization: Bearer ${ENV.TOKEN}`"


class EndpointSettings(Struct, frozen=True, kw_only=True):
    """What the agent's configuration says of its endpoint."""

    url: str
    endpoint: str | None = None
    transport: Transport | None = None
    version: Version | None = None
    has_headers: bool = False
    """Whether headers go with every request, which are for the named origin (scheme, host and port) alone."""


class Endpoint(Struct, frozen=True, kw_only=True):
    """Where messages go to."""

    interface: Interface
    streams: bool
    others: tuple[Interface, ...] = ()
    """To be tried when nobody answers there, or when nobody said which dialect it speaks."""
    warnings: tuple[str, ...] = ()
    guess: str = ""
    """Why this address is only a guess: named in the error when the server refuses a message."""


async def find_endpoint(caller: HttpCaller, headers: Mapping[str, str], wanted: EndpointSettings) -> Endpoint:
    """Raises CallFailed when no server answers, the card is invalid, or it offers no interface that viva speaks."""
    card, at = await _find_card(caller, headers, wanted)
    if card is None:
        first, *rest = guessed(wanted.endpoint or wanted.url, wanted.transport, wanted.version)
        # Without a card it is not known whether the server streams; one that does not refuses to be asked for a stream.
        guess = f"no agent card was found below {wanted.url}{at}: is it the address of an A2A agent?"
        note = (f"no agent card was found{at}: messages are sent to {first.url} all the same",) if at else ()
        return Endpoint(interface=first, streams=False, others=tuple(rest), warnings=note, guess=guess)
    interface = chosen(card, wanted.transport, wanted.version)
    if interface is None:
        raise _nothing_fits(card, at, wanted)
    if wanted.endpoint:
        return Endpoint(interface=structs.replace(interface, url=wanted.endpoint), streams=card.streams)
    found = _located(interface, card, at, wanted)
    if card.has_extended and wanted.has_headers:
        return await _extended(caller, headers, found)
    return found


def card_addresses(url: str) -> list[str]:
    """Where the card of an agent may be: at the address itself, below it, or below its host."""
    if url.partition("?")[0].endswith(".json"):
        return [url]
    address, mark, query = url.partition("?")
    bases = list(dict.fromkeys([address.rstrip("/"), str(URL(address).origin())]))
    return [f"{base}{path}{mark}{query}" for base in bases for path in WELL_KNOWN]


async def _find_card(
    caller: HttpCaller, headers: Mapping[str, str], wanted: EndpointSettings
) -> tuple[RemoteCard | None, str]:
    """The card and its address; where there is none, what was found instead of it, in words."""
    instead = ""
    below_host = str(URL(wanted.url).origin())
    path = URL(wanted.url).path.rstrip("/")
    for at in card_addresses(wanted.url):
        status, body = await _get(caller, headers, at)
        if status in (401, 403):
            raise CallFailed(f"{at} answered HTTP {status}", fault="target", hint=_CREDENTIALS)
        if status >= 500:
            raise CallFailed(f"{at} answered HTTP {status}: {quote_bytes(body)}", fault="target")
        if status != 200:
            continue
        card = _decoded(body)
        if card is None:
            if at == wanted.url:
                raise CallFailed(
                    f"{at} is no agent card: {quote_bytes(body)}",
                    fault="target",
                    hint="a card is a JSON object with `supportedInterfaces` or `url`",
                )
            instead = instead or f" ({at} is not a card: {quote_bytes(body, _QUOTED)})"
            continue
        is_of_host = at.startswith(below_host + WELL_KNOWN[0][:13]) and path
        if is_of_host and path not in {URL(each.url).path.rstrip("/") for each in card.interfaces}:
            # The card of the host belongs to another agent.
            continue
        return card, at
    if wanted.url.partition("?")[0].endswith(".json"):
        raise CallFailed(f"there is no agent card at {wanted.url}", fault="target", hint="check the address")
    return None, instead


def _located(interface: Interface, card: RemoteCard, at: str, wanted: EndpointSettings) -> Endpoint:
    """The interface where it can be reached: servers make up the host of their card, often `0.0.0.0` or `localhost`."""
    named, told = URL(wanted.url), _address(interface, at)
    here = structs.replace(
        interface, url=str(told.with_scheme(named.scheme).with_host(named.host or "").with_port(named.port))
    )
    if told.origin() == named.origin():
        return Endpoint(interface=interface, streams=card.streams)
    is_made_up = told.host in _EVERYWHERE
    both_local = is_made_up and named.host in _EVERYWHERE
    if told.host in ("0.0.0.0", "::") or (is_made_up and not both_local):
        note = () if told.port == named.port and both_local else (_note(at, interface, f"{here.url} is used"),)
        return Endpoint(interface=here, streams=card.streams, warnings=note)
    if both_local and told.port == named.port:
        return Endpoint(interface=here, streams=card.streams)
    if wanted.has_headers:
        where = "host" if told.host != named.host and not both_local else "origin"
        raise CallFailed(
            f"the agent card at {at} names an endpoint on another {where}, {told.origin()}: "
            f"neither the agent's headers nor a message are sent there",
            fault="target",
            hint=f"if it is the right one, write `endpoint: {interface.url}` at the agent",
        )
    note = _note(at, interface, "messages go there")
    return Endpoint(interface=interface, streams=card.streams, others=(here,), warnings=(note,))


def _address(interface: Interface, at: str) -> URL:
    try:
        told = URL(interface.url)
        if told.scheme in ("http", "https") and told.host:
            return told
    except ValueError:
        pass
    raise CallFailed(
        f"the agent card at {at} names no web address for {interface}: {interface.url!r}",
        fault="target",
        hint="correct the card, or write `endpoint: URL` at the agent",
    )


def _note(at: str, interface: Interface, what: str) -> str:
    return f"the agent card at {at} names the endpoint {interface.url}: {what}"


def _nothing_fits(card: RemoteCard, at: str, wanted: EndpointSettings) -> CallFailed:
    asked = " ".join(filter(None, (wanted.transport, wanted.version)))
    if asked:
        return CallFailed(
            f"the agent card at {at} offers {offers(card)}, not {asked}",
            fault="test",
            hint="change `transport` or `version` of the agent",
        )
    return CallFailed(
        f"the agent card at {at} offers only {offers(card)}",
        fault="target",
        hint="viva speaks JSONRPC and HTTP+JSON, of the versions 0.3 and 1.0",
    )


async def _extended(caller: HttpCaller, headers: Mapping[str, str], found: Endpoint) -> Endpoint:
    """The endpoint from the card for callers with credentials; only the streaming flag is taken from it."""
    interface = found.interface
    request = card_request(interface)
    sent = {"Accept": "application/json", **version_headers(interface), **headers}
    if request.body is not None:
        sent["Content-Type"] = "application/json"
    status, body = await _get(caller, sent, request.url, method=request.method, content=request.body)
    try:
        value: JsonValue = msgspec.json.decode(body)
    except (ValueError, RecursionError):
        value = None
    if is_object(value) and interface.transport == "JSONRPC":
        value = value.get("result")
    card = read_card(value) if status == 200 else None
    if card is None:
        note = f"the card for callers with credentials cannot be read (HTTP {status}): {quote_bytes(body)}"
        return structs.replace(found, warnings=(*found.warnings, note))
    return structs.replace(found, streams=card.streams)


def _decoded(body: bytes) -> RemoteCard | None:
    try:
        return read_card(msgspec.json.decode(body))
    except (ValueError, RecursionError):
        return None


async def _get(
    caller: HttpCaller, headers: Mapping[str, str], url: str, *, method: str = "GET", content: bytes | None = None
) -> tuple[int, bytes]:
    body = bytearray()
    try:
        async with caller.request(method, url, content, headers) as answer:
            async for chunk in answer.chunks():
                body += chunk
                if len(body) > _MOST_OF_A_CARD:
                    raise CallFailed(f"{url} answers with more than {_MOST_OF_A_CARD >> 20} MB", fault="target")
            return answer.status, bytes(body)
    except NotReached as nobody:
        raise CallFailed(str(nobody), fault="target", hint="is the server running?", retryable=True) from None
    except ConnectionBroken as broken:
        raise CallFailed(str(broken), fault="target") from None
    except FrameTooLarge as too_large:
        raise CallFailed(f"{url} sent {too_large}", fault="target") from None
