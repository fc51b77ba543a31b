from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.assert_block import compile_assert_block

AT = Place(Origin("checkout.yaml", 9))


def test_every_rule_becomes_a_spec_that_reads_well():
    block = {
        "tools": {
            "forbid": ["delete_order", "refund"],
            "require": [{"name": "charge_card", "count": {"exact": 1}, "after": "validate_cart"}],
            "forbid_calls": [{"name": "charge_card", "result_match": "declined"}],
            "only": ["validate_cart", "charge_card"],
            "sequence": ["validate_cart", {"name": "charge_card", "args": {"amount": 5}}],
            "match": "in_order",
            "max_calls": 4,
        },
        "timing": {"max_duration_ms": 30000, "max_gap_ms": 500},
        "text": {"must_match": "thanks", "must_not_match": ["error", "sorry"]},
    }
    assert [spec.written for spec in compile_assert_block(block, AT)] == [
        {"type": "forbid", "name": "delete_order"},
        {"type": "forbid", "name": "refund"},
        {"type": "require", "name": "charge_card", "count": {"exact": 1}, "after": "validate_cart"},
        {"type": "forbid_calls", "name": "charge_card", "result_match": "declined"},
        {"type": "only", "names": ["validate_cart", "charge_card"]},
        {
            "type": "sequence",
            "calls": ["validate_cart", {"name": "charge_card", "args": {"amount": 5}}],
            "match": "in_order",
        },
        {"type": "max_calls", "value": 4},
        {"type": "max_duration_ms", "value": 30000},
        {"type": "max_gap_ms", "value": 500},
        {"type": "must_match", "value": "thanks"},
        {"type": "must_not_match", "value": "error"},
        {"type": "must_not_match", "value": "sorry"},
    ]


@pytest.mark.parametrize(
    "block",
    [{}, {"tools": {}}, {"tools": {}, "timing": {}, "text": {}}, {"tools": {"forbid": [], "require": []}}],
)
def test_an_empty_block_asks_nothing(block: Any):
    assert compile_assert_block(block, AT) == ()


@pytest.mark.parametrize(
    ("block", "empty"),
    [
        ({"tools": None}, "tools: it is empty (write {}"),
        ({"timing": None}, "timing: it is empty (write {}"),
        ({"tools": {"forbid": None}}, "tools.forbid: it is empty (write []"),
        ({"tools": {"require": None}}, "tools.require: it is empty (write []"),
        ({"text": {"must_match": None}}, "text.must_match: it is empty (write a pattern"),
        ({"text": {"must_match": []}}, "text.must_match: it is empty (write a pattern"),
        ({"text": {"must_not_match": []}}, "text.must_not_match: it is empty (write a pattern"),
    ],
)
def test_what_was_left_empty_is_no_wish_to_check_nothing(block: Any, empty: str):
    with pytest.raises(UsageError) as refused:
        compile_assert_block(block, AT)
    assert empty in str(refused.value)


def test_one_forbidden_tool_needs_no_list():
    (spec,) = compile_assert_block({"tools": {"forbid": "delete_order"}}, AT)
    assert spec.fields == {"name": "delete_order"}


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        ({"tols": {}}, "did you mean 'tools'"),
        ({"tools": {"forbidden": []}}, "did you mean 'forbid'"),
        ({"tools": {"zzz": []}}, "known: forbid, require, forbid_calls"),
        ({"tools": ["a"]}, "tools: it must be a mapping"),
        ({"tools": {"require": {"name": "a"}}}, "must be a list"),
        ({"tools": {"require": ["a"]}}, r"tools.require\[0\]: it must be a mapping.*\{name: a\}"),
        ({"tools": {"require": [{"nme": "a"}]}}, "did you mean 'name'"),
        ({"tools": {"require": [{"name": "a", "type": "x"}]}}, "unknown field 'type'"),
        ({"tools": {"require": [{"name": "a", "count": {"exactly": 1}}]}}, "unknown field 'exactly'"),
        ({"tools": {"require": [{"name": "a", "args_match": {"x": "("}}]}}, "bad regex"),
        ({"tools": {"forbid": [5]}}, "name"),
        ({"tools": {"forbid_calls": [{"args_match": {}}]}}, "needs 'name'"),
        ({"timing": {"max_duration": 5}}, "did you mean 'max_duration_ms'"),
        ({"timing": {"max_gap_ms": "5"}}, "value"),
        ({"timing": {"max_gap_ms": None}}, "it is empty"),
        ({"text": {"must_match": "("}}, "bad regex"),
        ({"text": {"must_match": [1]}}, "value"),
        ({"text": {"must_mach": "x"}}, "did you mean 'must_match'"),
        ("tools", "must be a mapping"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(block: Any, complaint: str):
    with pytest.raises(UsageError, match=complaint) as error:
        compile_assert_block(block, AT)
    assert str(error.value).startswith("checkout.yaml:9: ")


@pytest.mark.parametrize(
    ("tools", "problem"),
    [
        ({"match": "exact"}, "tools.match: it needs 'sequence' beside it"),
        ({"sequence": ["pay"], "match": "sorted"}, "tools.sequence: in the assertion 'sequence'"),
        ({"sequence": []}, "tools.sequence: in the assertion 'sequence'"),
        ({"sequence": None}, "tools.sequence: it is empty"),
        ({"only": None}, "tools.only: it is empty"),
        ({"only": "pay"}, "tools.only: in the assertion 'only'"),
        ({"max_calls": -1}, "tools.max_calls: in the assertion 'max_calls'"),
    ],
)
def test_rules_on_all_calls_say_what_is_wrong_with_them(tools: Any, problem: str):
    with pytest.raises(UsageError) as refused:
        compile_assert_block({"tools": tools}, AT)
    assert problem in str(refused.value)
