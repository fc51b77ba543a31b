from typing import Any

import pytest

from vivavoce.notation.possible_names import names_beside, possible_names


@pytest.mark.parametrize(
    "value",
    [
        "delete_order",
        " delete_order ",
        ["x", {"of": "delete_order"}],
        {"delete_order": 1},
        "{'tool': 'delete_order', 'n': 1}",
        '{"of": "delete_order"}',
        '"{\\"of\\": \\"delete_order\\"}"',
        {"delete_order": {}},
        {"metrics": {"delete_order.calls": 1}},
        *("/delete_order", "> delete_order", "🔧 delete_order", "✔ delete_order (120 ms)", "delete_order()"),
        *("tool-delete_order", "tool:delete_order", "Calling tool delete_order …", "Action: delete_order"),
        *("delete_order(order='A-17')", "Invoking: `delete_order` with `{'order': 'A-17'}`", "tool=delete_order n=1"),
        f"{'many words ' * 20} delete_order(order=1)",
    ],
)
def test_a_word_may_be_the_name_of_a_tool(value: Any):
    [piece] = possible_names(value, "$.x")
    assert "delete_order" in piece.tool.split()
    assert (piece.may_hold, piece.is_name, piece.where) == ("name", True, "$.x")
    assert not piece.may("call")


@pytest.mark.parametrize(
    "value",
    [None, 1, True, "", "delete the order, please", [], {"available_tools": ["pay"]}, f"{'long ' * 20} pay_back"],
)
def test_numbers_prose_and_lists_of_what_is_offered_have_no_such_words(value: Any):
    assert possible_names(value, "$.x") == []


@pytest.mark.parametrize(
    "text", ["tool-refund", "Action: refund", "refund(7)", "used `refund`", "/refund", "tool=refund"]
)
def test_a_name_of_one_word_counts_where_a_sign_is_beside_it(text: str):
    [piece] = possible_names(text, "$.x")
    assert "refund" in {word.strip("/") for word in piece.tool.split()}
    assert possible_names("The refund is on its way", "$.x") == []


def test_a_value_with_very_many_words_may_hold_any_call():
    [piece] = possible_names([f"word_{number}" for number in range(5_000)], "$.x")
    assert piece.may_hold == "call"


def test_only_fields_that_nobody_knows_are_looked_at():
    told = {"content": "pay", "x": "pay", "request_id": "pay", "model": "pay", "tools_available": ["pay"]}
    assert [piece.where for piece in names_beside(told, {"content"}, "$")] == ["$.x"]


def test_a_key_before_an_object_counts_too():
    [piece] = names_beside({"pay": {"order": 7}, "meta": {}}, (), "$")
    assert "pay" in piece.tool.split()
