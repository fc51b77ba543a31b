"""JSON Schema for editors, made from the types that decode cases and configurations."""

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.plugins.catalog import CONNECTORS, EXECUTORS, TARGETS
from vivavoce.project import settings
from vivavoce.sources.assertion_schema import assertion_definitions
from vivavoce.sources.decoding.case_defaults import FIELDS as DEFAULTED
from vivavoce.sources.decoding.case_fields import CaseFields, MessageFields, MessagesFields
from vivavoce.sources.decoding.content_decoder import PART_FIELDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = "#/$defs/{name}"


def case_schema() -> JsonObject:
    """One case: a line of a JSONL file, or a YAML test."""
    _, fields = msgspec.json.schema_components([CaseFields, MessageFields, MessagesFields], ref_template=_REFERENCE)
    case = fields["CaseFields"]
    # A YAML test takes its id from its file; every other case needs an `id`.
    case["allOf"] = [_one_of("id", "turns"), _one_of("input", "messages", "turns", "simulator")]
    return {
        "$schema": DIALECT,
        "title": "viva case",
        "$ref": "#/$defs/CaseFields",
        "$defs": {**fields, **_content_definitions(), **assertion_definitions()},
    }


def config_schema() -> JsonObject:
    """`viva.yaml`."""
    _, groups = msgspec.json.schema_components([settings.Config], ref_template=_REFERENCE)
    del groups[settings.AgentConfig.__name__]
    agents, kinds = agent_schemas(_REFERENCE)
    groups["Config"]["properties"]["agents"]["additionalProperties"] = agents
    groups["ConnectorConfig"]["properties"]["type"]["enum"] = sorted(CONNECTORS)
    groups["RunDefaults"]["properties"]["executor"]["examples"] = list(EXECUTORS)
    of_cases = case_schema()["$defs"]
    shared = of_cases.pop("CaseFields")["properties"]
    groups["Config"]["properties"]["defaults"] |= {
        "properties": {name: shared[name] for name in DEFAULTED},
        "additionalProperties": False,
    }
    definitions = {**of_cases, **groups, **kinds}
    return {"$schema": DIALECT, "title": "viva.yaml", "$ref": "#/$defs/Config", "$defs": definitions}


def _one_of(*names: str) -> JsonObject:
    return {"anyOf": [{"required": [name]} for name in names]}


def _content_definitions() -> JsonObject:
    part = {"$ref": "#/$defs/ContentPart"}
    known: list[JsonObject] = [
        {
            "title": kind,
            "type": "object",
            "properties": {"type": {"const": kind}, **dict.fromkeys(names, True)},
            "required": ["type"],
            "additionalProperties": False,
        }
        for kind, names in PART_FIELDS.items()
    ]
    unknown = {
        "title": "any other kind",
        "type": "object",
        "properties": {"type": {"type": "string", "not": {"enum": list(PART_FIELDS)}}},
        "required": ["type"],
    }
    return {
        "ContentPart": {"anyOf": [*known, unknown]},
        "Content": {
            "description": "Text, or parts: text, image, audio, file.",
            "anyOf": [
                {"type": "string"},
                part,
                {"type": "array", "items": part},
                {"type": "null"},
            ],
        },
    }


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
    """The fields of a kind, and `kind: NAME`, which is required unless the address is in a field of that name."""
    needed: list[str] = schema.get("required", [])
    return {
        **schema,
        "title": kind,
        "properties": {"kind": {"const": kind}, **schema["properties"]},
        "required": needed if kind in needed else ["kind", *needed],
    }
