"""One conversation behind `viva mcp-mock`: mocks nobody asked for, calls after the end, recorded calls not replayed."""

from typing import Any

from vivavoce.model.message import AgentReply
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Provisions
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.mcp_calls.mcp_watcher import McpWatch
from vivavoce.sight.mcp_calls.responder_server import ResponderServer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import CALL, LIST_TOOLS, McpAnswer, McpRequest

PLAIN = AgentReply(text="ok", shows_calls=False)


async def served() -> McpAnswer:
    return McpAnswer(result={"content": [], "tools": [{"name": "refund"}]})


def watch(*mocks: str, is_replay: bool = False) -> tuple[McpWatch, McpResponder]:
    desk = McpResponder(Censor(Secrets()))
    made = McpWatch(desk, ResponderServer(0, lambda: desk), list(mocks), sees=True, is_replay=is_replay)
    made.begin_turn(1, Provisions())
    return made, desk


async def ask(desk: McpResponder, method: str = CALL, **params: Any) -> None:
    await desk.answer(McpRequest(server="shop", method=method, params=params), served)


async def test_calls_are_added_to_their_turn():
    made, desk = watch("refund")
    await ask(desk, LIST_TOOLS)
    await ask(desk, name="refund")
    reply = await made.end_turn(1, PLAIN, 0.0, 1.0)
    assert [call.name for call in reply.calls] == ["refund"]
    assert (await made.close()).problem is None


async def test_a_mock_that_no_server_asked_for_is_an_error():
    made, _ = watch("refund")
    assert "no `viva mcp-mock` asked" in str((await made.close()).problem)


async def test_a_misspelt_mock_is_an_error_also_when_nobody_lists_the_tools():
    made, desk = watch("refnud")
    await ask(desk, name="refund")
    assert "no tool 'refnud'" in str((await made.close()).problem)


async def test_calls_between_turns_belong_to_the_next_and_after_the_last_are_an_error():
    made, desk = watch()
    await made.end_turn(1, PLAIN, 0.0, 1.0)
    await ask(desk, name="refund")
    made.begin_turn(2, Provisions())
    assert [call.name for call in (await made.end_turn(2, PLAIN, 0.0, 1.0)).calls] == ["refund"]
    await ask(desk, name="refund")
    end = await made.close()
    assert (end.fault, "refund was called" in str(end.problem)) == ("agent", True)


async def test_recorded_calls_that_no_mock_asked_for_are_an_error():
    made, _ = watch(is_replay=True)
    assert "their tools may have run" in str((await made.close()).problem)
    made, desk = watch(is_replay=True)
    await ask(desk, LIST_TOOLS)
    assert (await made.close()).problem is None
