"""A forbidden word in the answers of an MCP server, then bent out of shape: it is seen, or nothing is green.

The calls of an MCP server are those that the test makes: what it may hide are words.
"""

import json
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import types
from tests.fakes.bending import bend
from tests.fakes.evidence import evidence, helpers

from vivavoce.engine.attempt.judging import judge
from vivavoce.errors import CallFailed
from vivavoce.model.case import AssertionSpec
from vivavoce.model.server_request import content_of_request
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.model.verdict import Outcome
from vivavoce.targets.mcp.link import McpLink
from vivavoce.targets.mcp.target import McpSession
from vivavoce.targets.mcp.wire_words import keep_wire

WORD = "hunter2"
CALL = {"call": "look"}
TOOL = {"name": "look", "inputSchema": {"type": "object"}}
CHECKS = [
    AssertionSpec(type="not_contains", fields={"value": WORD}),
    AssertionSpec(type="regex", fields={"value": WORD}, negate=True),
    AssertionSpec(type="must_not_match", fields={"value": WORD}),
]


def call_result(*parts: Any, **more: Any) -> dict[str, Any]:
    return {"content": list(parts), **more}


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def resource(**fields: str) -> dict[str, Any]:
    return {"uri": "a://b", **fields}


SHAPES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "text": (CALL, call_result(words(f"it is {WORD}."))),
    "two texts": (CALL, call_result(words("ok"), words(WORD))),
    "structured": (CALL, call_result(words("ok"), structuredContent={"said": WORD})),
    "text beside structured": (CALL, call_result(words(WORD), structuredContent={"said": "x"})),
    "resource": (CALL, call_result({"type": "resource", "resource": resource(text=WORD)})),
    "link": (CALL, call_result({"type": "resource_link", "uri": "a://b", "name": "x", "description": WORD})),
    "meta": (CALL, call_result(words("ok"), _meta={"x": WORD})),
    "error": (CALL, call_result(words(WORD), isError=True)),
    "read": ({"read": "a://b"}, {"contents": [resource(text=WORD)]}),
    "read JSON": (
        {"read": "a://b"},
        {"contents": [resource(mimeType="application/json", text=json.dumps({"a": WORD}))]},
    ),
    "read two": ({"read": "a://b"}, {"contents": [resource(text="x"), resource(text=WORD)]}),
    "prompt": ({"prompt": "p"}, {"messages": [{"role": "user", "content": words(WORD)}]}),
    "description of a prompt": (
        {"prompt": "p"},
        {"description": WORD, "messages": [{"role": "user", "content": words("x")}]},
    ),
    "resource in a prompt": (
        {"prompt": "p"},
        {"messages": [{"role": "user", "content": {"type": "resource", "resource": resource(text=WORD)}}]},
    ),
    "list of tools": ({"list": "tools"}, {"tools": [{**TOOL, "description": WORD}]}),
    "list of resources": ({"list": "resources"}, {"resources": [{"name": "a", "uri": "a://b", "description": WORD}]}),
    "list of prompts": ({"list": "prompts"}, {"prompts": [{"name": "a", "description": WORD}]}),
}


class Client:
    """Answers one request as the SDK would: by the SDK's own types, which drop what they do not know."""

    def __init__(self, request: dict[str, Any], wire: Any) -> None:
        self._lists_tools = request.get("list") == "tools"
        self._wire = wire
        keep_wire(self)

    async def send_request(self, wire: Any, result_type: Any) -> Any:
        return result_type.model_validate(wire)

    async def list_tools(self) -> Any:
        return await self.send_request(self._wire if self._lists_tools else {"tools": [TOOL]}, types.ListToolsResult)

    async def call_tool(self, *_: Any) -> Any:
        return await self.send_request(self._wire, types.CallToolResult)

    async def read_resource(self, _: str) -> Any:
        return await self.send_request(self._wire, types.ReadResourceResult)

    async def get_prompt(self, *_: Any) -> Any:
        return await self.send_request(self._wire, types.GetPromptResult)

    async def list_resources(self) -> Any:
        return await self.send_request(self._wire, types.ListResourcesResult)

    async def list_prompts(self) -> Any:
        return await self.send_request(self._wire, types.ListPromptsResult)


class Link:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def client(self) -> Client:
        return self._client

    def last_words(self) -> str:
        return ""


async def outcomes(request: dict[str, Any], wire: Any) -> set[Outcome]:
    session = McpSession(cast("McpLink", Link(Client(request, wire))), judged=True)
    try:
        reply = await session.send(Line(content=content_of_request(request)), Transcript())
    except CallFailed:
        return {Outcome.BROKEN}
    if reply.violations:
        return {Outcome.FAILED}
    turn = Turn(number=1, line=Line(content="x"), reply=reply)
    return {verdict.outcome for verdict in await judge(CHECKS, evidence(turn), helpers())}


@pytest.mark.parametrize("how", SHAPES)
async def test_the_word_is_seen(how: str):
    assert await outcomes(*SHAPES[how]) == {Outcome.FAILED}


@settings(deadline=None, max_examples=300)
@given(data=st.data(), times=st.sampled_from([1, 1, 2]))
async def test_a_bent_answer_is_never_green(data: st.DataObject, times: int):
    request, wire = SHAPES[data.draw(st.sampled_from(sorted(SHAPES)))]
    bent = data.draw(st.composite(lambda draw: bend(draw, wire, WORD, times))())
    assert Outcome.PASSED not in await outcomes(request, bent), bent


async def test_an_ordinary_answer_is_green():
    for request, wire in SHAPES.values():
        harmless = json.loads(json.dumps(wire).replace(WORD, "fine"))
        assert await outcomes(request, harmless) == {Outcome.PASSED}
