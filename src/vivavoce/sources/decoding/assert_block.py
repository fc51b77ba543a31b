"""An assert block (`tools`, `timing`, `text`; seed 001) → specs like those of every other assertion."""

from vivavoce.errors import Problems, did_you_mean
from vivavoce.model.case import AssertionSpec
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.notation.place import Place
from vivavoce.plugins.assertion_building import validated

BLOCK_RULES = {
    "tools": ("forbid", "require", "forbid_calls", "only", "sequence", "max_calls"),
    "timing": ("max_duration_ms", "max_gap_ms"),
    "text": ("must_match", "must_not_match"),
}
"""The rules of each section; each has the name of its check."""
WHOLE_RULES = {
    "only": "names",
    "sequence": "calls",
    "max_calls": "value",
    "max_duration_ms": "value",
    "max_gap_ms": "value",
}
"""The rules with one value instead of a list, and the field of the check that gets the value."""
BESIDE = {"tools": {"match": "sequence"}}
"""The other keys of a section, and the rule that each belongs to."""
NOTHING_TO_CHECK = "write [] if nothing is to be checked"


def compile_assert_block(block: JsonValue, place: Place) -> tuple[AssertionSpec, ...]:
    """Returns a spec for each rule of the block; an empty block has none."""
    specs: list[AssertionSpec] = []
    problems = Problems()
    for name, section in _known(block, tuple(BLOCK_RULES), place, problems).items():
        there, beside = place.at(name), BESIDE.get(name, {})
        written = _known(section, (*BLOCK_RULES[name], *beside), there, problems)
        for other, rule in beside.items():
            if other in written and rule not in written:
                problems.found.append(there.at(other).problem(f"it needs {rule!r} beside it"))
        for kind, value in written.items():
            if kind in WHOLE_RULES:
                more = {other: written[other] for other, rule in beside.items() if rule == kind and other in written}
                with problems:
                    specs.append(_whole_rule(kind, value, more, there.at(kind)))
            elif kind not in beside:
                with problems:
                    specs += _rules(kind, value, there.at(kind), problems)
    problems.raise_any()
    return tuple(specs)


def _known(value: JsonValue, known: tuple[str, ...], place: Place, problems: Problems) -> JsonObject:
    """The known keys of a section with their values; the others become problems."""
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


def _whole_rule(kind: str, value: JsonValue, more: JsonObject, place: Place) -> AssertionSpec:
    if value is None:
        raise place.problem("it is empty", "leave it out if nothing is to be checked")
    fields: JsonObject = {WHOLE_RULES[kind]: value, **more}
    return validated(AssertionSpec(type=kind, fields=fields, written={"type": kind, **fields}), place)


def _rules(kind: str, value: JsonValue, place: Place, problems: Problems) -> list[AssertionSpec]:
    specs: list[AssertionSpec] = []
    for index, entry in enumerate(_entries(kind, value, place)):
        with problems:
            specs.append(_rule(kind, entry, place.at(index) if is_array(value) else place))
    return specs


def _entries(kind: str, value: JsonValue, place: Place) -> JsonArray:
    """The entries of a rule: a list, or a single entry."""
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
