"""On whose behalf: flag > case > context file > project > default."""

from pathlib import Path
from typing import Any

from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Case, Identity
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.project.files import read_text
from vivavoce.project.settings import IdentityConfig


class IdentityFlags(Struct, frozen=True):
    user: str | None = None
    team: str | None = None
    locale: str | None = None


class RunContext(Struct, frozen=True):
    """The `--ctx` file: who calls, from where, and free metadata."""

    identity: dict[str, str] = {}
    metadata: JsonObject = {}


def identity_for(case: Case, flags: IdentityFlags, context: RunContext, config: IdentityConfig) -> Identity:
    """The identity a case runs under; an empty string counts as not set."""
    chosen: dict[str, str] = {
        **_present(user_id=config.user, team_id=config.team, locale=config.locale),
        **context.identity,
        **_present(user_id=case.user, team_id=case.team, locale=case.locale),
        **_present(user_id=flags.user, team_id=flags.team, locale=flags.locale),
    }
    return Identity(**chosen) if chosen else _DEFAULT


def read_context(path: str) -> RunContext:
    """A context file in Yao's shape: `authorized`, `client`, `locale`, `referer`, `accept`, `metadata`; or flat."""
    from vivavoce.notation.jsonc import read_jsonc

    value = read_jsonc(read_text(Path(path)), path)
    if not is_object(value):
        raise UsageError("the context file must be a JSON object", at=path)
    return context_of(value, path)


_KNOWN = (
    *("authorized", "client", "locale", "referer", "accept", "metadata"),
    *("user_id", "user", "team_id", "team", "client_type", "client_ip"),
)
_KNOWN_OF_CLIENT = ("type", "ip", "user_agent")


def context_of(value: JsonObject, path: str = "") -> RunContext:
    """Returns the context of a file or program. Raises UsageError for an unknown key."""
    authorized, client = _object(value, "authorized", path), _object(value, "client", path)
    _refuse_unknown(value, _KNOWN, path)
    _refuse_unknown(client, _KNOWN_OF_CLIENT, path)
    identity = _present(
        user_id=authorized.get("user_id") or value.get("user_id") or value.get("user"),
        team_id=authorized.get("team_id") or value.get("team_id") or value.get("team"),
        locale=value.get("locale"),
        client_type=client.get("type") or value.get("client_type"),
        client_ip=client.get("ip") or value.get("client_ip"),
        referer=value.get("referer"),
        accept=value.get("accept"),
    )
    return RunContext(identity, _object(value, "metadata", path))


_DEFAULT = Identity()


def _present(**values: Any) -> dict[str, str]:
    return {name: str(value) for name, value in values.items() if value}


def _refuse_unknown(value: JsonObject, known: tuple[str, ...], path: str) -> None:
    for key in value:
        if key not in known:
            near = did_you_mean(key, list(known))
            free = "free data belongs under 'metadata'"
            raise UsageError(f"unknown key {key!r} in the context", at=path, hint=f"{near} {free}" if near else free)


def _object(value: JsonObject, key: str, path: str) -> JsonObject:
    inner: JsonValue = value.get(key) or {}
    if not is_object(inner):
        raise UsageError(f"{key} must be an object", at=path)
    return inner
