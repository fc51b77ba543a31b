"""The JSON Schema of assertions, made from their classes."""

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.sources.decoding.assert_block import BESIDE, BLOCK_RULES, WHOLE_RULES
from vivavoce.sources.decoding.assertion_decoder import FLATTENED, OTHER_SPELLINGS

_COMMON: JsonObject = {
    "negate": {"type": "boolean", "description": "The check must not hold."},
    "message": {"type": ["string", "null"], "description": "Shown when the check fails."},
    "path": {"type": ["string", "null"], "description": "Judge only this part of the output."},
    "weight": {"type": "number", "minimum": 0, "description": "What it counts for in a case with `min_score` (1)."},
}


def assertion_definitions() -> JsonObject:
    """`Assertions` and all it refers to, by name."""
    kinds: JsonObject = {name: ASSERTIONS.load(name) for name in sorted(ASSERTIONS)}
    references, found = msgspec.json.schema_components(kinds.values(), ref_template="#/$defs/{name}")
    classes: JsonObject = {
        name: found[reference["$ref"].rpartition("/")[2]] for name, reference in zip(kinds, references, strict=True)
    }
    shared = {name: schema for name, schema in found.items() if all(schema is not own for own in classes.values())}
    one = {"anyOf": [{"$ref": "#/$defs/Assertion"}, {"$ref": "#/$defs/AssertBlock"}]}
    return {
        **shared,
        "Assertions": {
            "description": "What must hold: one check, a list of them, or a block of tool, timing and text rules.",
            "anyOf": [*one["anyOf"], {"type": "array", "items": one}],
        },
        "Assertion": {"anyOf": [_written(name, schema) for name, schema in classes.items()]},
        "AssertBlock": _block(classes),
    }


def _written(name: str, schema: JsonObject) -> JsonObject:
    """A check as authors write it: its type, its own fields under each of their names, and the fields of all checks."""
    fields: JsonObject = dict(schema["properties"])
    also = {own: other for other, own in OTHER_SPELLINGS.get(name, {}).items()}
    under_value = ["value"] if name in FLATTENED else []
    if under_value:
        # `value` may also be just the name of a tool.
        fields["value"] = True if name == "tool_called" else {"type": "object"}
    ways = [[own, *([also[own]] if own in also else []), *under_value] for own in schema.get("required", [])]
    needed = [names[0] for names in ways if len(names) == 1]
    choices = [{"anyOf": [{"required": [way]} for way in names]} for names in ways if len(names) > 1]
    written: JsonObject = {
        "title": name,
        "description": schema.get("description", ""),
        "type": "object",
        "properties": {
            "type": {"const": name},
            **fields,
            **{other: fields[own] for own, other in also.items() if other not in fields},
            **{common: rule for common, rule in _COMMON.items() if common not in fields},
        },
        "required": ["type", *needed],
        "additionalProperties": False,
    }
    return {**written, "allOf": choices} if choices else written


def _block(classes: JsonObject) -> JsonObject:
    sections: JsonObject = {}
    for section, keys in BLOCK_RULES.items():
        rules = {key: _rule(section, key, classes[key]) for key in keys}
        rules |= {other: classes[rule]["properties"][other] for other, rule in BESIDE.get(section, {}).items()}
        sections[section] = {"type": "object", "properties": rules, "additionalProperties": False}
    return {
        "description": "Rules on tools, timing and text.",
        "type": "object",
        "properties": sections,
        "additionalProperties": False,
    }


def _rule(section: str, key: str, schema: JsonObject) -> JsonObject:
    """One entry of a section: a limit, names or patterns, or rules of several fields."""
    described = {"description": schema.get("description", "")}
    if key in WHOLE_RULES:
        return {**described, **schema["properties"][WHOLE_RULES[key]]}
    if section == "tools" and key != "forbid":
        return {**described, "type": "array", "items": schema}
    several: JsonObject = {"type": "array", "items": {"type": "string"}}
    if section == "text":
        several["minItems"] = 1
    return {**described, "anyOf": [{"type": "string"}, several]}
