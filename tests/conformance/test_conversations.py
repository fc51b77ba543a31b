"""Groups dynamic, checkpoints, turns, next_input, status: the loop as the documents describe it."""

from typing import Any

import pytest
from tests.conformance.checks import checks
from tests.fakes.agents import FakeSimulator, FakeTarget, agent_raises
from tests.fakes.examining import attempt_once, case_of

from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, Status

Check = dict[str, Any]

DECIDED_OTHERWISE = {
    "dynamic-03": "SPEC 4: a simulator line that comes with goal_achieved is still sent when it is not empty",
}


def reply_of(response: Any) -> Any:
    if isinstance(response, str):
        return response
    if "raise" in response:
        return agent_raises(response["raise"])
    calls = [
        ToolCall(name=call["tool"], **({"result": call["result"]} if "result" in call else {}))
        for call in response.get("tools", [])
    ]
    return AgentReply(text=response["content"], calls=tuple(calls))


def reached(attempt: Attempt) -> dict[str, int]:
    return {c.id: c.reached_at_turn for c in attempt.checkpoints if c.reached_at_turn is not None}


@pytest.mark.parametrize("check", checks("dynamic"))
async def test_dynamic(check: Check):
    if check["id"] in DECIDED_OTHERWISE:
        pytest.skip(DECIDED_OTHERWISE[check["id"]])
    case = case_of(**check["case"])
    agent = FakeTarget([reply_of(said) for said in check["agent"]])
    simulator = FakeSimulator(check["simulator"] or ["never asked"])
    attempt = await attempt_once(case, agent, simulator=simulator)
    expected = check["expect"]
    actual = {
        "status": attempt.status.value,
        "total_turns": len(attempt.transcript.turns),
        "user_messages": agent.heard[: len(expected.get("user_messages", []))],
        "reached": reached(attempt),
        "agent_calls": len(agent.heard),
        "simulator_calls": len(simulator.heard),
        "turn1_input": agent.heard[0],
    }
    for name, wanted in expected.items():
        if name == "error_contains":
            assert wanted in (attempt.error or "")
        else:
            assert actual[name] == wanted, name


async def test_a_goal_achieved_line_is_still_sent_then_missing_checkpoints_fail():
    """What SPEC 4 decides instead of dynamic-03."""
    check = next(p.values[0] for p in checks("dynamic") if p.values[0]["id"] == "dynamic-03")
    agent = FakeTarget(["A", "x", "x"])
    attempt = await attempt_once(case_of(**check["case"]), agent, simulator=FakeSimulator(check["simulator"]))
    assert agent.heard == ["Hi", "next", "bye"]
    assert (attempt.status, attempt.error) == (Status.FAILED, "missing checkpoints: b (goal achieved)")


@pytest.mark.parametrize("check", checks("checkpoints"))
async def test_checkpoints(check: Check):
    # An optional extra checkpoint that never falls keeps the conversation going to the last response.
    checkpoints = [*check["checkpoints"], {"id": "never", "assert": {"type": "contains", "value": "∅never∅"}}]
    rounds = len(check["responses"])
    case = case_of(input="go", simulator={"use": "sim"}, checkpoints=checkpoints, max_turns=rounds)
    simulator = FakeSimulator([f"line {n}" for n in range(rounds + 1)])
    attempt = await attempt_once(case, FakeTarget([reply_of(r) for r in check["responses"]]), simulator=simulator)
    assert reached(attempt) == check["reached"]


@pytest.mark.parametrize("check", checks("next_input"))
async def test_next_input(check: Check):
    state = check["state"]
    turns = [{"input": "first"}, *({"input": f"scripted {n}"} for n in range(state["turns_left"]))]
    fields: dict[str, Any] = {"turns": turns}
    if state.get("simulator"):
        fields["simulator"] = {"use": "sim"}
    if "on_missing_input" in state:
        fields["on_missing_input"] = state["on_missing_input"]
    fields["final_assertions"] = [{"type": "contains", "value": "?"}]
    simulator = FakeSimulator(['{"input": "simulated", "goal_achieved": false}'])
    attempt = await attempt_once(case_of(**fields, max_turns=3), FakeTarget(["What?", "Done."]), simulator=simulator)
    second = attempt.transcript.turns[1].line.source if len(attempt.transcript.turns) > 1 else None
    assert second == check["input_source"]
    if second is None:
        statuses = {"skipped": Status.SKIPPED, "failed": Status.FAILED, "end": Status.PASSED}
        assert attempt.status is statuses[check["status"]]
        assert bool(attempt.final_verdicts) == (check["status"] == "end")


@pytest.mark.parametrize("check", checks("turns"))
async def test_turns(check: Check):
    if "first_input" in check:
        return  # in test_loading
    wanted = {"passed": "good", "failed": "bad"}
    turns = [{"input": "x", "assertions": [{"type": "contains", "value": "good"}]} for _ in check["turn_statuses"]]
    final = [{"type": "contains", "value": "good" if check["final"] else "never"}]
    attempt = await attempt_once(
        case_of(turns=turns, final_assertions=final), FakeTarget([wanted[s] for s in check["turn_statuses"]])
    )
    assert attempt.status == check["status"]
