"""Front-end tools as people write them."""

from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import FrontendTool
from vivavoce.notation.tool_stubs import read_frontend_tools


def answers_of(**fields: Any) -> tuple[dict[str, Any], ...]:
    [tool] = read_frontend_tools([{"name": "paint", **fields}])
    return tool.answers


def test_a_tool_is_what_it_says() -> None:
    schema = {"type": "object", "properties": {"color": {"type": "string"}}}
    read = read_frontend_tools([{"name": "paint", "description": "Paints", "parameters": schema, "answer": "ok"}])
    assert read == (FrontendTool(name="paint", description="Paints", parameters=schema, answers=({"value": "ok"},)),)


@pytest.mark.parametrize(
    ("fields", "answers"),
    [
        ({}, ()),
        ({"answer": None}, ({"value": None},)),
        ({"answer": {"value": 1}}, ({"value": {"value": 1}},)),
        ({"error": "declined"}, ({"error": "declined"},)),
        ({"script": "scripts:paint"}, ({"script": "scripts:paint"},)),
        ({"answers": ["a", 2]}, ({"value": "a", "once": True}, {"value": 2, "once": True})),
        ({"answers": [{"ok": True}]}, ({"value": {"ok": True}, "once": True},)),
        (
            {"answers": [{"value": 1, "when": {"color": "red"}, "once": True}, {"error": "no"}]},
            ({"value": 1, "when": {"color": "red"}, "once": True}, {"error": "no"}),
        ),
        (
            {"when": [{"args": {"city": "Par.*"}, "answer": 1}], "answer": 2},
            ({"value": 1, "when": {"city": "Par.*"}}, {"value": 2}),
        ),
        ({"when": [{"args": {"n": "5"}, "error": "no"}]}, ({"error": "no", "when": {"n": "5"}},)),
        ({"answer": 1, "delay": "500ms"}, ({"value": 1, "delay": 0.5},)),
        (
            {"answers": [{"value": 1, "delay": "1s"}, 2], "delay": "2s"},
            ({"value": 1, "delay": 1}, {"value": 2, "once": True, "delay": 2}),
        ),
        ({"answers": [{"delay": "3 hours"}]}, ({"value": {"delay": "3 hours"}, "once": True},)),
    ],
)
def test_answers_are_tried_in_the_order_they_are_written(fields: dict[str, Any], answers: Any) -> None:
    assert answers_of(**fields) == answers


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("paint", "`tools` must be a list"),
        (["paint"], "front-end tool 1: must be an object"),
        ([{}], "front-end tool 1: needs a `name`"),
        ([{"name": "a", "answer": 1}, {"name": "a"}], "'a' is declared twice"),
        ([{"name": "a", "anwser": 1}], "'a': unknown field `anwser` (did you mean 'answer'?)"),
        ([{"name": "a", "parameters": "x"}], "'a': `parameters` must be a JSON Schema object"),
        ([{"name": "a", "answer": 1, "error": "x"}], "'a': `answer` and `error` exclude each other"),
        ([{"name": "a", "error": 5}], "'a': `error` must be a text"),
        ([{"name": "a", "answer": 1, "delay": "soon"}], "'a': `delay`: bad duration 'soon'"),
        ([{"name": "a", "answers": [{"value": 1, "delay": -1}]}], "'a': `delay`: bad duration '-1'"),
        ([{"name": "a", "answers": 5}], "'a': `answers` must be a list"),
        ([{"name": "a", "answers": [{"value": 1, "error": "x"}]}], "`value` and `error` exclude each other"),
        ([{"name": "a", "answers": [{"value": 1, "wen": {}}]}], "unknown field `wen` (did you mean 'when'?)"),
        ([{"name": "a", "when": [{"answer": 1}]}], "each entry of `when` needs `args`"),
        ([{"name": "a", "when": [{"args": {"n": "("}, "answer": 1}]}], "argument n: bad regex '('"),
    ],
)
def test_what_is_wrong_is_said_with_the_tools_name(raw: Any, problem: str) -> None:
    with pytest.raises(UsageError) as wrong:
        read_frontend_tools(raw, "viva.yaml")
    assert str(wrong.value).startswith("viva.yaml: ")
    assert problem in str(wrong.value)
