from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.sources.decoding.assertion_decoder import decode_assertions

AT = Origin("cases.jsonl", 3)


def test_one_object_a_list_and_nothing():
    one = {"type": "contains", "value": "x"}
    assert [spec.type for spec in decode_assertions(one, AT)] == ["contains"]
    assert [spec.type for spec in decode_assertions([one, one], AT)] == ["contains", "contains"]
    for nothing in ([], {}):
        assert decode_assertions(nothing, AT) == ()


def test_an_assert_block_stands_where_an_assertion_may():
    block = {"tools": {"forbid": ["a"]}}
    assert [spec.type for spec in decode_assertions(block, AT)] == ["forbid"]
    assert [spec.type for spec in decode_assertions([block, {"type": "contains", "value": "x"}], AT)] == [
        "forbid",
        "contains",
    ]


@pytest.mark.parametrize(
    ("written", "fields"),
    [
        ({"type": "regex", "pattern": "a+"}, {"value": "a+"}),
        ({"type": "regex", "value": "a+"}, {"value": "a+"}),
        ({"type": "tool_called", "name": "pay"}, {"name": "pay"}),
        ({"type": "tool_called", "value": "pay"}, {"name": "pay"}),
        ({"type": "tool_called", "value": ["pay", "buy"]}, {"name": ["pay", "buy"]}),
        (
            {"type": "tool_called", "value": {"name": "pay", "arguments": {"a": 1}}},
            {"name": "pay", "arguments": {"a": 1}},
        ),
        ({"type": "tool_called", "name": "pay", "arguments": {"a": 1}}, {"name": "pay", "arguments": {"a": 1}}),
        ({"type": "tool_result", "value": {"tool": "pay", "result": None}}, {"tool": "pay", "result": None}),
        ({"type": "tool_result", "value": {"name": "pay"}}, {"tool": "pay"}),
        ({"type": "tool_result", "name": "pay", "result": 1}, {"tool": "pay", "result": 1}),
        ({"type": "script", "script": "scripts.test.Assert"}, {"use": "scripts.test.Assert"}),
        ({"type": "script", "use": "scripts:test.check"}, {"use": "scripts:test.check"}),
        ({"type": "json_schema", "value": {"type": "object"}}, {"schema": {"type": "object"}}),
        ({"type": "latency", "value": "2s"}, {"max": "2s"}),
        ({"type": "cost", "value": 0.5}, {"max": 0.5}),
        ({"type": "json_path", "path": "$.a", "value": 1}, {"path": "$.a", "value": 1}),
        ({"type": "type", "path": "$.a", "value": "number"}, {"path": "$.a", "value": "number"}),
    ],
)
def test_both_spellings_are_the_same_thing(written: dict[str, Any], fields: dict[str, Any]):
    (spec,) = decode_assertions(written, AT)
    assert spec.fields == fields
    assert spec.path is None
    assert spec.written == written


def test_common_fields_stand_beside_those_of_the_type():
    written = {"type": "contains", "value": "x", "negate": True, "message": "oh", "path": "$.a"}
    (spec,) = decode_assertions(written, AT)
    assert (spec.negate, spec.message, spec.path, spec.fields) == (True, "oh", "$.a", {"value": "x"})


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("contains", r"must be an object.*write \{\"type\": \"contains\""),
        ([{"type": "contains", "value": "x"}, 5], "must be an object"),
        (True, "must be an object"),
        ([{}], "needs a 'type'"),
        ({"contains": "x"}, r"needs a 'type'.*\"type\": \"contains\""),
        ({"tool": {"forbid": []}}, "did you mean 'tools'"),
        ({"tpye": "contains", "value": "x"}, "did you mean 'type' in place of 'tpye'"),
        ({"type": "llm-rubric", "value": "x"}, r"write \{\"type\": \"agent\""),
        ({"type": "agent", "criteria": "is polite"}, "in your own words go into `value`"),
        ({"type": 5}, "must be text"),
        ({"type": "contians", "value": "x"}, "did you mean 'contains'"),
        ({"type": "Equals", "value": "x"}, "did you mean 'equals'"),
        ({"type": "contains", "value": "x", "negat": True}, "did you mean 'negate'"),
        ({"type": "contains", "value": "x", "negate": "true"}, "'negate' must be true or false"),
        ({"type": "contains", "value": "x", "message": 5}, "'message' must be text"),
        ({"type": "contains", "value": "x", "path": 5}, "'path' must be text"),
        ({"type": "contains", "value": "x", "path": "$.["}, "bad JSON path"),
        ({"type": "json_path", "path": "$.[", "value": 1}, "bad JSON path"),
        ({"type": "json_path", "value": 1}, "needs 'path'"),
        ({"type": "tool_called", "value": "x", "path": "$.a"}, "'path' has no meaning"),
        ({"type": "regex", "value": "a", "pattern": "b"}, "say the same thing"),
        ({"type": "regex", "value": "("}, "bad regex"),
        ({"type": "tool_called", "value": {"name": "a"}, "name": "b"}, "said twice"),
        ({"type": "tool_called", "value": {"nam": "a"}}, "unknown field 'nam'"),
        ({"type": "tool_called", "value": {"name": "a", "value": "b"}}, "unknown field 'value'"),
        ({"type": "tool_called", "value": 5}, "name"),
        ({"type": "tool_result", "value": "pay"}, "must be an object"),
        ({"type": "tool_result", "value": {"result": 1}}, "needs 'tool'"),
        ({"type": "script"}, "needs 'use'"),
        ({"type": "agent"}, "needs criteria"),
        ({"type": "latency", "max": "soon"}, "bad duration"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(written: Any, complaint: str):
    with pytest.raises(UsageError, match=complaint) as error:
        decode_assertions(written, AT)
    assert str(error.value).startswith("cases.jsonl:3: ")


def test_a_variable_in_a_path_waits_for_its_value():
    (spec,) = decode_assertions({"type": "contains", "value": "x", "path": "$.items[${N}]"}, AT)
    assert spec.path == "$.items[${N}]"
