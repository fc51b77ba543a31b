"""`model_proxy:` of an agent, in its long and its short form."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.sight.tapes.tape_settings import TAPES_ONLY


class ProxyFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an agent's proxy is set up."""

    upstream: dict[str, str] = {}
    """Where each provider really is."""
    listen: Annotated[int, Meta(ge=0, le=65535)] = 0
    """The port; 0: any free one."""
    tapes_only: bool = False


def proxy_fields(value: JsonValue, agent: str) -> ProxyFields:
    """Reads `{upstream: {openai: URL}, listen: PORT}`, the short `{openai: URL}`, or `true`. Raises UsageError."""
    if value is True:
        return ProxyFields()
    if is_object(value) and not value.keys() & {"upstream", "listen", TAPES_ONLY}:
        value = {"upstream": value}
    try:
        return msgspec.convert(value, ProxyFields)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"agent {agent!r}: model_proxy: {split_validation_error(str(error))[0]}",
            hint="write model_proxy: {upstream: {openai: https://…}, listen: 0}",
        ) from None
