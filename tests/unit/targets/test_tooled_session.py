"""A model whose tools viva runs: offered, answered, and what stays open."""

from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, Message, ToolCall
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext, ModelReply, ModelRequest, ToolSpec
from vivavoce.targets.agent_package.tools import Tool
from vivavoce.targets.tooled_session import TooledSession


class Endpoint:
    """Says its replies in order; an exception is raised."""

    def __init__(self, *replies: ModelReply | Exception) -> None:
        self._replies = list(replies)
        self.asked: list[ModelRequest] = []
        self.heard: list[list[str]] = []

    @property
    def connector(self) -> "Endpoint":
        return self

    def request(self, line: Line, transcript: Transcript) -> ModelRequest:
        said = [*transcript.messages(), Message(role="user", content=line.content)]
        return ModelRequest(messages=said, options={"seed": 1}, headers={"X": "1"})

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(request)
        self.heard.append([message.role for message in request.messages])
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


async def refund(args: dict[str, Any], ctx: Any) -> Any:
    print("paying back")
    return {"order": args["order"], "case": ctx["case_id"]}


TOOLS = {"refund": Tool(ToolSpec(name="refund"), refund)}
CALLS = ModelReply(calls=(ToolCall(id="c1", name="refund", args={"order": 7}),), finish_reason="tool_calls")
DONE = ModelReply(text="Done.", finish_reason="stop")


def session(endpoint: Endpoint) -> TooledSession:
    return TooledSession(endpoint, TOOLS, CallContext(session_id="s", case_id="T1"))


async def test_a_tool_is_offered_answered_and_told_to_the_model():
    endpoint = Endpoint(CALLS, DONE)
    reply = await session(endpoint).send(Line(content="go"), Transcript())
    assert reply.text == "Done."
    assert [(call.name, call.result) for call in reply.calls] == [("refund", {"order": 7, "case": "T1"})]
    first, _ = endpoint.asked
    assert [tool.name for tool in first.tools] == ["refund"]
    assert (first.options, first.headers) == ({"seed": 1}, {"X": "1"})
    assert endpoint.heard == [["user"], ["user", "assistant", "tool"]]


async def test_a_turn_that_broke_shows_what_was_done_before():
    broken = session(Endpoint(CALLS, CallFailed("no answer", fault="target")))
    assert broken.so_far() == AgentReply()
    with pytest.raises(CallFailed):
        await broken.send(Line(content="go"), Transcript())
    assert [call.name for call in broken.so_far().calls] == ["refund"]


async def test_a_call_that_is_written_into_the_words_is_doubted():
    words = '<tool_call>{"name": "refund", "arguments": {"order": 7}}</tool_call>'
    reply = await session(Endpoint(ModelReply(text=words, finish_reason="stop"))).send(Line(content="go"), Transcript())
    assert reply.calls == ()
    assert [one.may("call") for one in reply.unread] == [True]
