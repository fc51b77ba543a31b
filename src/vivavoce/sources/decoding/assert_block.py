"""Seed 001's AssertBlock (`tools`, `timing`, `text`) → the same specs as every other assertion."""

from collections.abc import Iterator
from typing import Any

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import AssertionSpec, Origin
from vivavoce.model.json_value import JsonObject, is_array, is_object
from vivavoce.plugins.assertion_building import validated

BLOCK_RULES = {
    "tools": ("forbid", "require", "forbid_calls"),
    "timing": ("max_duration_ms", "max_gap_ms"),
    "text": ("must_match", "must_not_match"),
}
"""Each section's rules; they bear the names of the checks they become."""
NOTHING_TO_CHECK = "write [] if nothing is to be checked"


def compile_assert_block(block: Any, at: Origin) -> tuple[AssertionSpec, ...]:
    """The block's rules, each one a spec; an empty block has none."""
    return tuple(_validated(spec, at) for spec in _rules(block, at))


def _rules(block: Any, at: Origin) -> Iterator[AssertionSpec]:
    sections = _known_keys(block, "assert", tuple(BLOCK_RULES), at)
    tools = _section("tools", sections, at)
    for name in _listed(tools.get("forbid", []), "tools.forbid", at):
        yield _spec("forbid", {"name": name})
    for kind in ("require", "forbid_calls"):
        for index, rule in enumerate(_listed(tools.get(kind, []), f"tools.{kind}", at)):
            if not is_object(rule):
                where = f"tools.{kind}[{index}]"
                raise UsageError(f"{where} must be a mapping", at=at, hint=f"write {{name: {rule}}}")
            yield _spec(kind, rule)
    timing = _section("timing", sections, at)
    for kind, limit in timing.items():
        yield _spec(kind, {"value": limit})
    text = _section("text", sections, at)
    for kind in text:
        for pattern in _listed(text[kind], f"text.{kind}", at):
            yield _spec(kind, {"value": pattern})


def _spec(kind: str, fields: JsonObject) -> AssertionSpec:
    return AssertionSpec(type=kind, fields=fields, written={"type": kind, **fields})


def _section(name: str, sections: JsonObject, at: Origin) -> JsonObject:
    return _known_keys(sections.get(name, {}), name, BLOCK_RULES[name], at)


def _known_keys(value: Any, name: str, known: tuple[str, ...], at: Origin) -> JsonObject:
    if value is None:
        raise UsageError(f"{name!r} is empty", at=at, hint="write {} if nothing is to be checked")
    if not is_object(value):
        raise UsageError(f"{name!r} must be a mapping with {', '.join(known)}", at=at)
    for key in value:
        if key not in known:
            hint = did_you_mean(str(key), list(known)) or f"known: {', '.join(known)}"
            raise UsageError(f"unknown key {key!r} in {name!r}", at=at, hint=hint)
    return value


def _listed(value: Any, name: str, at: Origin) -> list[Any]:
    """A list, or the one thing it would hold."""
    if value is None:
        raise UsageError(f"{name!r} is empty", at=at, hint=NOTHING_TO_CHECK)
    if is_object(value):
        raise UsageError(f"{name!r} must be a list", at=at)
    return list(value) if is_array(value) else [value]


def _validated(spec: AssertionSpec, at: Origin) -> AssertionSpec:
    if "type" in spec.fields:
        raise UsageError(f"unknown field 'type' in a {spec.type!r} rule", at=at)
    return validated(spec, at)
