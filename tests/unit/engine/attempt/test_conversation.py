"""Whole conversations with fake agents: who ends them, and what they are judged by."""

import pytest
from tests.fakes.agents import FakeSession, FakeTarget, agent_raises, calling
from tests.fakes.examining import attempt_once, case_of

from vivavoce.engine.wiring import RunSettings
from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Status
from vivavoce.model.transcript import EndReason
from vivavoce.protocols import CallContext

REACHED = {"id": "greeted", "assert": {"type": "contains", "value": "hello"}}


@pytest.mark.parametrize("broken", ["", "{}", '{"goal_achieved": true}', agent_raises("no line")])
async def test_a_simulator_that_breaks_is_an_error_of_the_simulator(broken: object):
    case = case_of(simulator={"use": "agents:sim"})
    attempt = await attempt_once(case, FakeTarget(["hello?"]), simulator=FakeTarget([broken]))
    assert (attempt.status, attempt.fault) == (Status.ERROR, "simulator")
    assert (attempt.error or "").startswith("simulator error: ")


async def test_a_line_that_the_simulator_is_to_blame_for_is_its_error():
    unclear = CallFailed('the answer "hm" says neither yes nor no', fault="simulator")
    case = case_of(input="hi there", simulator={"use": "agents:sim"})
    attempt = await attempt_once(case, FakeTarget(["sure?", unclear]), simulator=FakeTarget(['{"input": "hm"}']))
    assert (attempt.status, attempt.fault) == (Status.ERROR, "simulator")
    assert attempt.error == 'simulator error: the answer "hm" says neither yes nor no'


async def test_with_checkpoints_a_simulator_that_breaks_fails_the_case():
    case = case_of(
        input="hi there",
        simulator={"use": "agents:sim"},
        checkpoints=[{**REACHED, "assert": [{"type": "contains", "value": "goodbye"}]}],
    )
    attempt = await attempt_once(case, FakeTarget(["hello?"]), simulator=FakeTarget([""]))
    assert (attempt.status, attempt.fault) == (Status.FAILED, "simulator")


async def test_scripted_turns_are_all_sent_before_checkpoints_end_the_case():
    wanted = {"input": "two", "assertions": [{"type": "contains", "value": "never said"}]}
    case = case_of(turns=[{"input": "one"}, wanted], checkpoints=[REACHED])
    attempt = await attempt_once(case, FakeTarget(["hello", "hello again"]))
    assert len(attempt.transcript.turns) == 2
    assert attempt.status is Status.FAILED


async def test_checkpoints_end_the_case_once_the_script_is_over():
    case = case_of(turns=[{"input": "one"}, {"input": "two"}], simulator={"use": "agents:sim"}, checkpoints=[REACHED])
    simulator = FakeTarget(["never asked"])
    attempt = await attempt_once(case, FakeTarget(["hello", "well?"]), simulator=simulator)
    assert attempt.transcript.ending is not None
    assert attempt.transcript.ending.reason is EndReason.CHECKPOINTS_REACHED
    assert (attempt.status, len(attempt.transcript.turns)) == (Status.PASSED, 2)


@pytest.mark.parametrize("check", [{"assert": {"type": "contains", "value": "first"}}, {"expected": "the first?"}])
@pytest.mark.parametrize(("said", "status"), [("the first?", Status.PASSED), ("something else?", Status.FAILED)])
async def test_the_checks_of_an_input_case_are_of_its_first_reply_under_a_simulator(
    check: dict[str, object], said: str, status: Status
):
    case = case_of(input="hi there", **check)
    simulator = FakeTarget(['{"input": "go on", "goal_achieved": true}'])
    attempt = await attempt_once(
        case, FakeTarget([said, "the last"]), simulator=simulator, settings=RunSettings(simulator="agents:sim")
    )
    assert len(attempt.transcript.turns) == 2
    assert attempt.status is status


class TellingSession(FakeSession):
    def so_far(self) -> AgentReply:
        return calling("charge_card")


class TellingTarget(FakeTarget):
    async def open(self, context: CallContext) -> FakeSession:
        return TellingSession(self)


@pytest.mark.parametrize("breaks", [agent_raises("no more"), 30.0])
async def test_a_turn_that_broke_keeps_the_calls_seen_before_it_broke(breaks: Exception | float):
    attempt = await attempt_once(
        case_of(input="pay please"), TellingTarget([breaks]), settings=RunSettings(timeout_s=0.2)
    )
    [turn] = attempt.transcript.turns
    assert turn.error is not None
    assert [call.name for call in turn.reply.calls] == ["charge_card"]
