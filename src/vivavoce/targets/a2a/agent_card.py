"""An agent card of either generation: what the agent is called, where it listens and in which dialects."""

from collections.abc import Sequence

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_object, object_in
from vivavoce.targets.a2a.spelling import objects_in, text_in
from vivavoce.targets.a2a.wire import Interface, Transport, Version

_PREFERRED: tuple[tuple[Transport, Version], ...] = (
    ("JSONRPC", "1.0"),
    ("JSONRPC", "0.3"),
    ("HTTP+JSON", "1.0"),
    ("HTTP+JSON", "0.3"),
)


class RemoteCard(Struct, frozen=True, kw_only=True):
    """What viva needs of a card."""

    name: str = ""
    streams: bool = False
    interfaces: tuple[Interface, ...] = ()
    """Those viva can speak to, the best first."""
    others: tuple[str, ...] = ()
    """Those it cannot, in words."""
    has_extended: bool = False
    """Whether callers with credentials are shown another card."""


def read_card(card: JsonValue) -> RemoteCard | None:
    """Returns None when the value is no agent card: it names no address."""
    if not is_object(card):
        return None
    offered = _offered(card)
    if not offered:
        return None
    interfaces: list[Interface] = []
    others: list[str] = []
    for url, binding, version, tenant in offered:
        transport, spoken = _transport(binding), _version(version)
        if transport is None or spoken is None:
            others.append(f"{binding} {version}".strip())
        else:
            interfaces.append(Interface(url=url, transport=transport, version=spoken, tenant=tenant))
    interfaces.sort(key=lambda each: _PREFERRED.index((each.transport, each.version)))
    capabilities = object_in(card, "capabilities")
    extended = capabilities.get("extendedAgentCard") or card.get("supportsAuthenticatedExtendedCard")
    return RemoteCard(
        name=text_in(card, "name"),
        streams=capabilities.get("streaming") is True,
        interfaces=tuple(interfaces),
        others=tuple(dict.fromkeys(others)),
        has_extended=extended is True,
    )


def chosen(card: RemoteCard, transport: Transport | None = None, version: Version | None = None) -> Interface | None:
    """The best interface, among those of the wanted transport and version; None when there is none."""
    fitting = (
        each for each in card.interfaces if transport in (None, each.transport) and version in (None, each.version)
    )
    return next(fitting, None)


def offers(card: RemoteCard) -> str:
    """What the card offers, in words."""
    return ", ".join(dict.fromkeys([*map(str, card.interfaces), *card.others]))


def guessed(url: str, transport: Transport | None, version: Version | None) -> Sequence[Interface]:
    """Without a card: the dialects to try, one after the other."""
    versions: tuple[Version, ...] = (version,) if version else ("1.0", "0.3")
    return [Interface(url=url, transport=transport or "JSONRPC", version=each) for each in versions]


def _offered(card: JsonObject) -> list[tuple[str, str, str, str]]:
    """Address, binding, version and tenant of each interface. The newer list wins: a card may have both."""
    if listed := list(objects_in(card.get("supportedInterfaces"))):
        found = [
            (
                text_in(each, "url"),
                text_in(each, "protocolBinding", "transport") or "JSONRPC",
                text_in(each, "protocolVersion") or "1.0",
                text_in(each, "tenant"),
            )
            for each in listed
        ]
        return [each for each in found if each[0]]
    version = text_in(card, "protocolVersion") or "0.3"
    offered = [(text_in(card, "url"), text_in(card, "preferredTransport") or "JSONRPC", version, "")]
    offered += [
        (text_in(each, "url"), text_in(each, "transport") or "JSONRPC", version, "")
        for each in objects_in(card.get("additionalInterfaces"))
    ]
    return list(dict.fromkeys(each for each in offered if each[0]))


def _transport(binding: str) -> Transport | None:
    named = binding.upper().replace("-", "").replace("_", "")
    return "JSONRPC" if named == "JSONRPC" else "HTTP+JSON" if named == "HTTP+JSON" else None


def _version(version: str) -> Version | None:
    major = version.split(".", 1)[0]
    return "1.0" if major == "1" else "0.3" if major == "0" else None
