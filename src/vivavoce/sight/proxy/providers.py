"""Model providers: their path at the proxy, the environment variables of their clients, their real address."""

import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.model_wires.addresses import ANTHROPIC, OPENAI

_VERSION = re.compile(r"/v\d[a-z0-9]*+$")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}$")


class Provider(Struct, frozen=True, kw_only=True):
    """One host that agents call."""

    name: str
    prefix: str
    """The first part of its path at the proxy."""
    end: str = ""
    """What clients expect after the prefix in the base URL."""
    variables: tuple[str, ...] = ()
    """Environment variables in which clients look for the base URL."""
    host_variables: tuple[str, ...] = ()
    """The same for clients that expect it without `end`."""
    keys: tuple[str, ...] = ()
    """Variables without which clients do not start."""
    upstream: str = ""
    is_model: bool = True
    """Whether it is a model provider; False for any other HTTP API."""

    def base_url(self, root: str) -> str:
        """Its base URL behind a proxy at `root`."""
        return f"{root}/{self.prefix}{self.end}"

    def environment(self, root: str) -> dict[str, str]:
        """The variables that lead its clients to a proxy at `root`."""
        return {
            **dict.fromkeys(self.variables, self.base_url(root)),
            **dict.fromkeys(self.host_variables, f"{root}/{self.prefix}"),
        }

    def url(self, path: str) -> str:
        """The real address of a request for `path` (after the prefix)."""
        parts = urlsplit(self.upstream)
        base = parts.path
        if base.endswith("/") or (self.end and _VERSION.search(base)):
            # The address of the upstream contains its version already.
            path = path.removeprefix(self.end) if self.end else path
        return urlunsplit(parts._replace(path=f"{base.rstrip('/')}{path}"))


KNOWN = (
    Provider(
        name="openai",
        prefix="openai",
        end="/v1",
        variables=("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        host_variables=("OPENAI_HOST",),
        keys=("OPENAI_API_KEY",),
        upstream=f"{OPENAI}/v1",
    ),
    Provider(
        name="anthropic",
        prefix="anthropic",
        variables=("ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE", "ANTHROPIC_HOST"),
        keys=("ANTHROPIC_API_KEY",),
        upstream=ANTHROPIC,
    ),
    Provider(
        name="gemini",
        prefix="gemini",
        variables=("GOOGLE_GEMINI_BASE_URL", "GEMINI_API_BASE"),
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        upstream="https://generativelanguage.googleapis.com",
    ),
)


def providers_of(upstream: Mapping[str, str], agent: str) -> dict[str, Provider]:
    """The providers of an agent by prefix: the known ones, and those of its `upstream`. Raises UsageError.

    A known provider without an `upstream` has the address of its environment variable, else its usual one.
    """
    found: dict[str, Provider] = {}
    for known in KNOWN:
        said = next((os.environ[name] for name in known.variables if os.environ.get(name)), None)
        provider = _at(known, upstream.get(known.name) or said or known.upstream, agent)
        found[provider.prefix] = provider
    for name, address in upstream.items():
        if name in (known.name for known in KNOWN):
            continue
        if not _NAME.match(name):
            raise UsageError(f"agent {agent!r}: model_proxy: {name!r} is not a name for an upstream")
        variable = f"{name.upper().replace('-', '_')}_BASE_URL"
        other = Provider(name=name, prefix=f"up/{name}", variables=(variable,), is_model=False)
        found[other.prefix] = _at(other, address, agent)
    return found


def _at(provider: Provider, address: str, agent: str) -> Provider:
    if not address.startswith(("http://", "https://")) or not urlsplit(address).hostname:
        raise UsageError(
            f"agent {agent!r}: model_proxy: {address!r} is not a web address",
            hint=f"write upstream: {{{provider.name}: https://…}}",
        )
    return Provider(
        name=provider.name,
        prefix=provider.prefix,
        end=provider.end,
        variables=provider.variables,
        host_variables=provider.host_variables,
        keys=provider.keys,
        upstream=address,
        is_model=provider.is_model,
    )
