"""Seed 001's AssertBlock (`tools`, `timing`, `text`) → the same specs as every other assertion."""

from vivavoce.errors import Problems, did_you_mean
from vivavoce.model.case import AssertionSpec
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.notation.place import Place
from vivavoce.plugins.assertion_building import validated

BLOCK_RULES = {
    "tools": ("forbid", "require", "forbid_calls"),
    "timing": ("max_duration_ms", "max_gap_ms"),
    "text": ("must_match", "must_not_match"),
}
"""Each section's rules; they bear the names of the checks they become."""
NOTHING_TO_CHECK = "write [] if nothing is to be checked"


def compile_assert_block(block: JsonValue, place: Place) -> tuple[AssertionSpec, ...]:
    """Returns a spec for each rule of the block; an empty block has none."""
    specs: list[AssertionSpec] = []
    problems = Problems()
    for name, section in _known(block, tuple(BLOCK_RULES), place, problems).items():
        there = place.at(name)
        for kind, value in _known(section, BLOCK_RULES[name], there, problems).items():
            with problems:
                for index, entry in enumerate(_entries(kind, value, there.at(kind))):
                    here = there.at(kind, index) if is_array(value) else there.at(kind)
                    with problems:
                        specs.append(_rule(kind, entry, here))
    problems.raise_any()
    return tuple(specs)


def _known(value: JsonValue, known: tuple[str, ...], place: Place, problems: Problems) -> JsonObject:
    """The keys that may stand in a section, with their values; the others become problems."""
    with problems:
        if value is None:
            raise place.problem("it is empty", "write {} if nothing is to be checked")
        if not is_object(value):
            raise place.problem(f"it must be a mapping with {', '.join(known)}")
        for key in value:
            if key not in known:
                hint = did_you_mean(str(key), list(known)) or f"known: {', '.join(known)}"
                problems.found.append(place.problem(f"unknown key {key!r}", hint, inside=(key,)))
        return {key: value[key] for key in known if key in value}
    return {}


def _entries(kind: str, value: JsonValue, place: Place) -> JsonArray:
    """The entries of a rule: a list, or the one thing it would hold."""
    if kind in BLOCK_RULES["timing"]:
        return [value]
    if kind in BLOCK_RULES["text"] and value in (None, []):
        raise place.problem("it is empty", "write a pattern, or leave it out if nothing is to be checked")
    if value is None:
        raise place.problem("it is empty", NOTHING_TO_CHECK)
    if is_object(value):
        raise place.problem("it must be a list")
    return list(value) if is_array(value) else [value]


def _rule(kind: str, entry: JsonValue, place: Place) -> AssertionSpec:
    fields: JsonObject
    if kind == "forbid":
        fields = {"name": entry}
    elif kind not in BLOCK_RULES["tools"]:
        fields = {"value": entry}
    elif is_object(entry):
        fields = entry
    else:
        raise place.problem("it must be a mapping", f"write {{name: {entry}}}")
    if "type" in fields:
        raise place.unknown("type", ())
    return validated(AssertionSpec(type=kind, fields=fields, written={"type": kind, **fields}), place)
