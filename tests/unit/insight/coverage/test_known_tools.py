"""Tools that somebody declares, and what their schemas allow."""

from vivavoce.insight.coverage.known_tools import KnownTools, choices_in
from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import ToolCall

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "amount": {"type": "number"},
        "urgent": {"type": "boolean"},
        "reason": {"enum": ["late", "damaged"]},
        "currency": {"anyOf": [{"$ref": "#/$defs/Currency"}, {"type": "null"}]},
        "elsewhere": {"$ref": "https://example.org/schema"},
        "fixed": {"enum": ["only"]},
    },
    "$defs": {"Currency": {"enum": ["EUR", "USD"]}},
}


def known(*tools: ToolSpec) -> KnownTools:
    made = KnownTools()
    made.add(tools)
    return made


def test_choices_are_enums_and_booleans_also_behind_references():
    assert choices_in(SCHEMA) == {
        "urgent": (True, False),
        "reason": ("late", "damaged"),
        "currency": ("EUR", "USD"),
    }


def test_a_schema_that_refers_to_itself_ends():
    assert choices_in({"properties": {"a": {"$ref": "#/properties/a"}}}) == {}


def test_elements_of_a_declared_tool():
    schema: JsonObject = {"properties": {"reason": {"enum": ["late", "damaged"]}, "amount": {}}}
    elements = known(ToolSpec(name="refund", parameters=schema)).elements()
    assert list(map(str, elements)) == [
        "refund called",
        "refund returned",
        "refund failed",
        "refund.reason given",
        "refund.reason = late",
        "refund.reason = damaged",
        "refund.amount given",
    ]


def test_a_call_belongs_to_the_tool_of_its_name_also_behind_a_namespace():
    tools = known(ToolSpec(name="refund"), ToolSpec(name="a.refund"))
    assert tools.name_of(ToolCall(name="a.refund")) == "a.refund"
    assert tools.name_of(ToolCall(name="shop__refund")) == "refund"
    assert tools.name_of(ToolCall(name="other")) == "other"


def test_a_declaration_with_parameters_wins_over_one_without():
    tools = known(ToolSpec(name="refund"), ToolSpec(name="refund", parameters=SCHEMA), ToolSpec(name="refund"))
    assert tools.choices("refund")["reason"] == ("late", "damaged")
