"""`process`: a test talks to an agent."""

from typing import Any

import pytest
from tests.fakes.script_tests import FakeAgents, run_alone

from vivavoce.errors import CallFailed
from vivavoce.model.case import Identity
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.script_testing import process


async def test_an_agent_is_called_with_the_whole_conversation():
    agents = FakeAgents(AgentReply(text="Done.", calls=(ToolCall(name="pay", args={"amount": 5}),), awaiting=False))
    said = [
        {"role": "user", "content": "pay"},
        {"role": "assistant", "content": "how much?"},
        {"role": "user", "content": "5"},
    ]

    def test_it(t: Any, ctx: Any) -> None:
        answer = process("agents.workers.pay.Stream", ctx, said)
        t.log(answer.content, answer.tool_calls[0]["name"], answer.awaiting_input)

    record = await run_alone(test_it, agents)
    assert record.logs == ("Done. pay False",)
    ((ref, messages, _, _),) = agents.asked
    assert ref == "agents:workers.pay"
    assert [(message.role, message.text) for message in messages] == [
        ("user", "pay"),
        ("assistant", "how much?"),
        ("user", "5"),
    ]


async def test_an_async_test_awaits_the_answer():
    async def test_it(t: Any) -> None:
        t.log((await process("agents.x.Stream", None, "hi")).content)

    assert (await run_alone(test_it, FakeAgents("hello"))).logs == ("hello",)


async def test_the_call_is_made_for_the_case_user_with_the_flag_s_connector():
    agents = FakeAgents()

    def test_it(ctx: Any) -> None:
        process("agents.x.Stream", ctx, "hi", {"connector": "mine", "metadata": {"b": 2}})

    alice = Identity(user_id="alice")
    await run_alone(test_it, agents, ctx={"metadata": {"a": 1}}, identity=alice, connector="flag")
    ((_, _, options, identity),) = agents.asked
    assert identity == alice
    assert options.connector == "flag"
    assert options.metadata == {"a": 1, "b": 2}


async def test_a_test_may_call_on_behalf_of_somebody_else():
    agents = FakeAgents()

    def test_it() -> None:
        process("agents.x.Stream", {"identity": {"user_id": "bob"}}, "hi")

    await run_alone(test_it, agents)
    assert agents.asked[0][3] == Identity(user_id="bob")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: process("models.user.Find", None, "x"), "process cannot call 'models.user.Find'"),
        (lambda: process("agents.x.Stream", None, []), "the last of the messages must be the user's"),
        (lambda: process("agents.x.Stream", None, [{"role": "assistant", "content": "x"}]), "must be the user's"),
        (lambda: process("agents.x.Stream", None, [{"content": "x"}]), "process: messages:"),
        (lambda: process("agents.x.Stream", None, "x", {"skip": 5}), "process: options:"),
    ],
)
async def test_a_call_that_makes_no_sense_is_the_tests_fault(call: Any, says: str):
    record = await run_alone(call)
    assert says in str(record.error)
    assert record.fault == "test"


async def test_an_agent_that_cannot_be_had_is_to_blame_itself():
    record = await run_alone(
        lambda: process("agents.x.Stream", None, "x"), FakeAgents(CallFailed("down", fault="target"))
    )
    assert (record.error, record.fault) == ("down", "target")


async def test_an_agent_that_fails_can_be_expected_to():
    def test_it(t: Any) -> None:
        t.assert_.throws(lambda: process("agents.x.Stream", None, "x"), "over quota")

    record = await run_alone(test_it, FakeAgents(AgentReply(error="over quota")))
    assert [check.reason for check in record.checks] == [""]
    assert record.error is None


def test_outside_a_test_there_is_nobody_to_call():
    with pytest.raises(CallFailed, match="while a script test runs"):
        process("agents.x.Stream", None, "x")
