"""One entry of `agents:` → AgentConfig, checked against the fields that its kind declares."""

from collections.abc import Iterator
from typing import Any

import msgspec

from vivavoce.configuration.objections import Objection, objections
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.notation.steps import Steps, written_path
from vivavoce.plugins.catalog import TARGETS
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.project.settings import AgentConfig
from vivavoce.project.variables import in_braces

KIND = "kind"
_LIMITS = ("max_parallel", "rate")
_FORM = "below it, indented: NAME: {python: file.py:function}"


def checked_agents(value: Any) -> tuple[dict[str, AgentConfig], list[Objection]]:
    """All agents that are in order, and all objections to the others."""
    if not is_object(value):
        found = objections(value, dict[str, AgentFields], ("agents",))
        return {}, [(at, what, hint or _FORM) for at, what, hint in found]
    agents: dict[str, AgentConfig] = {}
    problems: list[Objection] = []
    for name, entry in value.items():
        try:
            agents[name] = _checked(name, entry)
        except _Refused as refused:
            problems += refused.objections
    return agents, problems


class _Refused(Exception):
    def __init__(self, found: list[Objection]) -> None:
        super().__init__()
        self.objections = found


def _checked(name: str, entry: Any) -> AgentConfig:
    steps: Steps = ("agents", name)
    if not is_object(entry):
        hint = _as_fields(entry)
        raise _Refused([(at, what, hint or advice) for at, what, advice in objections(entry, AgentFields, steps)])
    try:
        kind = _kind_of(name, entry)
    except UsageError as problem:
        # A plug-in that is broken, or two of the same name.
        raise _Refused([(steps, problem.what, problem.hint)]) from None
    if kind.fields is None:
        raise _Refused([(steps, f"{written_path(steps)}: an agent of kind {kind.name!r} cannot be named here", None)])
    plain = {field: value for field, value in entry.items() if field != KIND}
    try:
        fields: dict[str, Any] = in_braces(msgspec.to_builtins(msgspec.convert(plain, kind.fields)))
    except msgspec.ValidationError as error:
        found = list(objections(plain, kind.fields, steps, also_known=(KIND,)))
        raise _Refused(found or [(steps, f"{written_path(steps)}: {error}", None)]) from None
    limits = {limit: fields.pop(limit) for limit in _LIMITS if limit in fields}
    return AgentConfig(kind=kind.name, fields=fields, **limits)


def _as_fields(entry: Any) -> str | None:
    """How a reference such as `python:app.py:agent` is written as an entry of `agents:`."""
    prefix, colon, address = entry.partition(":") if isinstance(entry, str) else ("", "", "")
    return f"write {{{prefix}: {address}}}" if colon and prefix in TARGETS else None


def _kind_of(name: str, entry: JsonObject) -> TargetKind:
    """The kind that `kind:` names, or that the entry's address names: `agui: URL`."""
    if KIND in entry:
        return _kind_named(name, entry[KIND])
    # Entry points are read only when no kind that is known without them fits.
    for known in (TARGETS.near(), TARGETS):
        found = [key for key, value in entry.items() if value is not None and key in known and _is_address(key)]
        if len(found) == 1:
            return TARGETS.load(found[0])
        if found:
            raise _Refused([_not_one_kind(name, f"it has {' and '.join(found)}")])
    raise _Refused(list(_objections_without_kind(name, entry)))


def _kind_named(name: str, kind: Any) -> TargetKind:
    steps = ("agents", name, KIND)
    if not isinstance(kind, str):
        raise _Refused(list(objections(kind, str, steps)))
    if kind not in TARGETS or TARGETS.load(kind).name != kind:
        known = sorted(name for name in TARGETS if TARGETS.load(name).name == name)
        hint = did_you_mean(kind, known) or f"known: {', '.join(known)}"
        raise _Refused([(steps, f"{written_path(steps)}: unknown kind of agent {kind!r}", hint)])
    return TARGETS.load(kind)


def _is_address(name: str) -> bool:
    kind = TARGETS.load(name)
    return kind.name == name and kind.fields is not None


def _objections_without_kind(name: str, entry: JsonObject) -> Iterator[Objection]:
    """The fields nobody knows: one of them is probably the misspelt kind."""
    kinds = [TARGETS.load(known) for known in TARGETS.near() if _is_address(known)]
    known = {field for kind in kinds if kind.fields for field in names_of(kind.fields)}
    common = {field: value for field, value in entry.items() if field in names_of(AgentFields)}
    unknown = [field for field in entry if field not in known]
    for field in unknown:
        at = ("agents", name, field)
        hint = did_you_mean(str(field), [KIND, *(kind.name for kind in kinds), *sorted(known)])
        yield at, f"{written_path(at[:-1])}: unknown field {str(field)!r}", hint or f"known: {', '.join(sorted(known))}"
    yield from objections(common, AgentFields, ("agents", name))
    if not unknown:
        yield _not_one_kind(name, "it has none")


def _not_one_kind(name: str, found: str) -> Objection:
    known = ", ".join(kind for kind in TARGETS if _is_address(kind))
    return ("agents", name), f"agent {name!r} needs exactly one of {known}; {found}", "or write kind: NAME"


def names_of(fields: type[AgentFields]) -> list[str]:
    """The names of a kind's fields as viva.yaml spells them."""
    return [field.encode_name for field in msgspec.structs.fields(fields)]
