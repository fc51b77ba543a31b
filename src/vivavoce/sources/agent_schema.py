"""The JSON Schema of an entry of `agents:`, made from what the kinds of agents declare."""

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.plugins.catalog import TARGETS


def agent_schemas(ref_template: str) -> tuple[JsonObject, JsonObject]:
    """One agent of any kind, and the definitions it refers to, by name. Loads every kind, also those of plug-ins."""
    declared = {kind.name: kind.fields for kind in (TARGETS.load(name) for name in TARGETS) if kind.fields is not None}
    references, found = msgspec.json.schema_components(declared.values(), ref_template=ref_template)
    written = [
        _named(kind, found[reference["$ref"].rpartition("/")[2]])
        for kind, reference in zip(declared, references, strict=True)
    ]
    return {"description": "An agent: the fields of its kind.", "anyOf": written}, {
        name: schema for name, schema in found.items() if {"$ref": ref_template.format(name=name)} not in references
    }


def _named(kind: str, schema: JsonObject) -> JsonObject:
    """A kind's fields, and `kind: NAME`, which must be said where no address names the kind."""
    needed: list[str] = schema.get("required", [])
    return {
        **schema,
        "title": kind,
        "properties": {"kind": {"const": kind}, **schema["properties"]},
        "required": needed if kind in needed else ["kind", *needed],
    }
