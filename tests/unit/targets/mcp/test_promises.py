"""What an MCP server declares about its tools, and where an answer breaks it."""

from typing import Any

import pytest

from vivavoce.targets.mcp.promises import broken_by_result, broken_by_tools

NUMBER: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TOOL: dict[str, Any] = {"name": "add", "inputSchema": NUMBER, "outputSchema": NUMBER}


def answer(**more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": "ok"}], "structuredContent": {"n": 1}, **more}


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ([TOOL], []),
        ([{"description": "no name"}, "no object"], ["tool 1 has no name", "tool 2 has no name"]),
        ([TOOL, TOOL], ["two tools are named add"]),
        ([{"name": "x", "inputSchema": {"type": "string"}}], ["the arguments of x is not of type object"]),
        ([{"name": "x", "outputSchema": {"type": "nonsense"}}], ["the schema of the results of x: "]),
    ],
)
def test_bad_declarations_are_found(tools: list[Any], said: list[str]):
    found = broken_by_tools(tools)
    assert len(found) == len(said)
    assert all(words in one for words, one in zip(said, found, strict=True))


@pytest.mark.parametrize(
    ("args", "result", "said"),
    [
        ({"n": 1}, answer(), None),
        ({"n": "one"}, answer(), "add took arguments that its schema refuses: $.n"),
        ({"n": 1}, answer(structuredContent={"n": "one"}), "the result of add does not fit its schema: $.n"),
        ({"n": 1}, {"content": []}, "returned no structured content"),
        (
            {"n": 1},
            answer(content=[{"type": "text", "text": "Traceback (most recent call last)\n boom"}]),
            "returned a Python traceback and did not call it an error",
        ),
    ],
)
def test_a_result_that_breaks_a_promise_is_found(args: dict[str, Any], result: dict[str, Any], said: str | None):
    found = broken_by_result(TOOL, "add", args, result)
    assert found == [] if said is None else [said in one for one in found] == [True]


def test_an_error_breaks_no_promise_and_an_unknown_tool_must_be_one():
    assert broken_by_result(TOOL, "add", {"n": "one"}, {"isError": True}) == []
    assert "is not among the server's tools" in broken_by_result(None, "ad", {}, answer())[0]
