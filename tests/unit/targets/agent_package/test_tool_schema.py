"""A typed function as the schema a model sees."""

from enum import Enum
from typing import Annotated, Literal

import msgspec
import pytest

from vivavoce.targets.agent_package.tool_schema import FunctionSchema, split_docstring


def create_expense(amount: float, kind: str = "travel", tags: list[str] | None = None, *, ctx: object = None):
    """Files an expense.

    Args:
        amount: how much,
            in dollars
        kind (str): what for
    """


def test_signature_and_docstring_become_the_schema():
    schema = FunctionSchema(create_expense, "here")
    assert schema.description == "Files an expense."
    assert schema.parameters == {
        "type": "object",
        "properties": {
            "amount": {"type": "number", "description": "how much, in dollars"},
            "kind": {"type": "string", "description": "what for", "default": "travel"},
            "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        },
        "required": ["amount"],
        "additionalProperties": False,
    }


def test_arguments_that_can_only_mean_one_thing_are_converted():
    assert FunctionSchema(create_expense, "here").arguments({"amount": "12.5"}) == {"amount": 12.5}


@pytest.mark.parametrize("given", [{}, {"amount": "much"}, {"amount": 1, "amuont": 2}])
def test_arguments_that_do_not_fit_are_refused(given: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        FunctionSchema(create_expense, "here").arguments(given)


class Colour(Enum):
    RED = "red"


class Item(msgspec.Struct):
    name: str
    count: int = 1


def test_rich_types_are_described_and_converted():
    def order(item: Item, colour: Colour, size: Literal["s", "m"], note: Annotated[str, "a few words"] = ""): ...

    schema = FunctionSchema(order, "here")
    properties = schema.parameters["properties"]
    assert properties["size"] == {"enum": ["m", "s"]}
    assert properties["note"] == {"type": "string", "description": "a few words", "default": ""}
    assert set(schema.parameters["$defs"]) == {"Item", "Colour"}
    assert schema.arguments({"item": {"name": "x"}, "colour": "red", "size": "s"}) == {
        "item": Item("x"),
        "colour": Colour.RED,
        "size": "s",
    }


def test_docstrings_in_rest_style_are_read_too():
    assert split_docstring("Pays.\n\nAt once.\n\n:param int amount: how much\n:returns: nothing") == (
        "Pays.\n\nAt once.",
        {"amount": "how much"},
    )
