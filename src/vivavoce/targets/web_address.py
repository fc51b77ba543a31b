"""Addresses of agents that are reached over HTTP."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from vivavoce.errors import UsageError
from vivavoce.model_wires.addresses import ANTHROPIC, OPENAI
from vivavoce.protocols import TargetSpec

_PROVIDERS = {
    "openai": f"{OPENAI}/v1",
    "openai-responses": f"{OPENAI}/v1",
    "anthropic": ANTHROPIC,
}
_WEB = ("http://", "https://")


def is_web_address(text: str) -> bool:
    """Whether it begins like one."""
    return text.startswith(_WEB)


def require_web_address(spec: TargetSpec, filled: Mapping[str, Any]) -> None:
    """Raises UsageError for an address that can never be reached. A `${VAR}` without a value yet is left alone."""
    written, address = spec.config.get(spec.kind), filled.get(spec.kind)
    if not isinstance(address, str) or "${" in address:
        return
    try:
        parts = urlsplit(address)
        bad = not (is_web_address(address) and parts.hostname) or parts.port == 0
    except ValueError:
        bad = True
    if bad:
        raise UsageError(f"agent {spec.id!r}: not an address: {written!r}", hint=_address_hint(spec.kind, address))


def _address_hint(kind: str, written: str) -> str:
    """A hint; `openai:gpt-4o`, as other tools name a model, gets the address of that model's provider."""
    host, model = _PROVIDERS.get(kind), written.rpartition(":")[2]
    if host is None or not re.fullmatch(r"[\w.:-]+", written) or "localhost" in written or model.isdigit() or not model:
        return "write it like https://host/path"
    return f"a model needs the address of its provider: {kind}:{host}?model={model}"
