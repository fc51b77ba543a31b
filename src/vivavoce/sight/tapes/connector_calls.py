"""What viva's own connectors are asked, as a tape keeps it."""

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.protocols import ModelRequest
from vivavoce.sight.dialects.chat import CHAT, SYSTEM_ROLES
from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.fingerprint import Fingerprint
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser

CONNECTOR = "connector"


def request_fingerprint(connector: str, request: ModelRequest, normaliser: Normaliser, censor: Censor) -> Fingerprint:
    """The same for requests that a model is to answer alike."""
    messages: list[JsonObject] = censor.data(msgspec.to_builtins(list(request.messages)))
    sections = Sections(
        model=connector,
        system=[message for message in messages if message["role"] in SYSTEM_ROLES],
        tools=censor.data(msgspec.to_builtins(list(request.tools))),
        params=censor.data(msgspec.to_builtins(request.options)),
        talk=[message for message in messages if message["role"] not in SYSTEM_ROLES],
    )
    return Fingerprint(
        provider=CONNECTOR,
        path=connector,
        stream=False,
        sections=normaliser.sections(sections),
        spine=normaliser.spine(CHAT, sections.talk),
    )
