"""--retries: again when the infrastructure broke, never when the agent did."""

import pytest
from tests.fakes.agents import FakeTarget, agent_raises
from tests.fakes.examining import attempt_once, case_of

from vivavoce.engine.attempt.retrying import pause_before
from vivavoce.engine.wiring import RunSettings
from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, ExchangeStatus, Usage
from vivavoce.model.result import Status
from vivavoce.project.run_options import AttemptOptions

UNREACHABLE = CallFailed("cannot connect", fault="target", retryable=True)
CUT_OFF = AgentReply(text="half a", status=ExchangeStatus.TRUNCATED, error="the stream ended early", usage=Usage(10, 5))


def retrying(retries: int) -> RunSettings:
    return RunSettings(options=AttemptOptions(retries=retries))


class ByConversation(FakeTarget):
    """The n-th conversation is answered with the n-th line."""

    async def open(self, context):  # type: ignore[no-untyped-def]
        session = await super().open(context)
        session.turn = len(self.contexts) - 1
        return session


@pytest.mark.parametrize("broken", [UNREACHABLE, CUT_OFF])
async def test_a_broken_line_is_tried_again_in_a_new_conversation_and_it_shows(broken):
    agent = ByConversation([broken, "fine"])
    attempt = await attempt_once(case_of(input="hi"), agent, settings=retrying(2))
    assert attempt.status is Status.PASSED
    assert attempt.output == "fine"
    assert len(attempt.retries) == 1
    assert attempt.retries[0].startswith(("try 1 of 3: cannot connect", "try 1 of 3: the stream ended early"))
    assert agent.contexts[0].session_id != agent.contexts[1].session_id


async def test_what_a_lost_try_used_is_not_forgotten():
    attempt = await attempt_once(
        case_of(input="hi"),
        ByConversation([CUT_OFF, "fine"]),
        settings=retrying(1),
    )
    assert attempt.overhead == Usage(10, 5)
    assert attempt.usage is None


async def test_without_the_flag_nothing_is_tried_again():
    agent = ByConversation([UNREACHABLE, "fine"])
    attempt = await attempt_once(case_of(input="hi"), agent)
    assert (attempt.status, attempt.fault, attempt.retries) == (Status.ERROR, "target", ())
    assert len(agent.contexts) == 1


async def test_tries_have_an_end():
    agent = ByConversation([UNREACHABLE])
    attempt = await attempt_once(case_of(input="hi"), agent, settings=retrying(1))
    assert (attempt.status, attempt.error) == (Status.ERROR, "cannot connect (tried 2 times)")
    assert (len(agent.contexts), len(attempt.retries)) == (2, 1)


@pytest.mark.parametrize(
    ("says", "fields"),
    [
        (agent_raises("boom"), {}),
        ("wrong", {"assert": {"type": "contains", "value": "right"}}),
        (5.0, {"timeout": "50ms"}),
        ("fine", {"assert": {"type": "script", "use": "scripts:nowhere.at_all"}}),
    ],
)
async def test_what_the_agent_or_the_test_did_is_never_tried_again(says, fields):
    agent = ByConversation([says])
    attempt = await attempt_once(case_of(input="hi", **fields), agent, settings=retrying(3))
    assert attempt.status is not Status.PASSED
    assert (len(agent.contexts), attempt.retries) == (1, ())


def test_pauses_grow_and_differ():
    assert [pause_before(n, lambda: 1.0) for n in (1, 2, 3, 20)] == [0.5, 1.0, 2.0, 30.0]
    assert pause_before(2, lambda: 0.0) == 0.5
