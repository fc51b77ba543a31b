"""Strands: what its recorded cycles mean."""

from types import SimpleNamespace

from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import Interrupt, Usage
from vivavoce.targets.frameworks.strands import _answer, read_metrics, read_task
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.resume_answers import Resumption


def metrics(*messages: dict[str, object]) -> SimpleNamespace:
    """Two cycles of an earlier run, and one of the last."""
    steps = [
        SimpleNamespace(message=message, metadata={"tool_name": "pay"}, start_time=1.0, end_time=2.0)
        for message in messages
    ]
    run = SimpleNamespace(cycles=[object()], usage={"inputTokens": 3, "outputTokens": 4})
    cycle = SimpleNamespace(children=[*steps, SimpleNamespace(message=None)])
    return SimpleNamespace(latest_agent_invocation=run, traces=[None, None, cycle])


def test_a_failed_tool_has_an_error():
    [call] = said("strands", "atlantis").calls
    assert call.error == "Error: no such city"


def test_calls_of_a_run_that_raised_are_kept():
    [call] = said("strands", "explode").calls
    assert (call.name, call.result) == ("get_weather", "21 degrees in Paris")


def test_an_interrupt_names_the_call_that_raised_it():
    [asked] = said("strands", "pay").interrupts
    assert (asked.reason, asked.tool_name, asked.payload) == ("approval", "pay", {"amount": 10})
    [late] = said("strands", "resume").late_results
    assert (late.name, late.result) == ("pay", "paid 10")


def test_structured_output_is_data_and_its_made_up_tool_is_no_call():
    reply = said("strands", "invoice")
    assert (reply.data, reply.calls) == ({"number": 7, "total": 12.5}, ())


def test_only_the_last_run_is_read():
    seen = TurnRecord()
    use = {"toolUse": {"toolUseId": "c1", "name": "pay", "input": {"amount": 1}}}
    told = {"toolResult": {"toolUseId": "c1", "status": "success", "content": [{"json": {"paid": 1}}]}}
    thought, strange = {"reasoningContent": {}}, {"hologram": {}}
    read_metrics(metrics({"content": [use, thought, strange]}, {"content": [told]}), seen)
    reply = seen.reply()
    [call] = reply.calls
    assert (call.result, call.started_ms, call.completed_ms) == ({"paid": 1}, 1000, 2000)
    assert reply.usage == Usage(3, 4)
    assert len(reply.unread) == 1


def test_a_run_that_never_began_shows_nothing():
    seen = TurnRecord()
    read_metrics(SimpleNamespace(latest_agent_invocation=None), seen)
    assert seen.reply().usage is None


def test_a_cancelled_interrupt_is_answered_no():
    interrupt = Interrupt(id="i")
    assert _answer(Resumption(interrupt=interrupt, answer=ResumeAnswer(cancelled=True))) is False
    assert _answer(Resumption(interrupt=interrupt, answer=ResumeAnswer(payload="yes"))) == "yes"


def node_result(text: str, call: str) -> SimpleNamespace:
    use = {"toolUse": {"toolUseId": call, "name": "look", "input": {}}}
    step = SimpleNamespace(message={"content": [{"text": text}, use]}, metadata={}, start_time=0, end_time=None)
    run = SimpleNamespace(cycles=[1], usage={"inputTokens": 1, "outputTokens": 1})
    metrics = SimpleNamespace(latest_agent_invocation=run, traces=[SimpleNamespace(children=[step])])
    inner = SimpleNamespace(metrics=metrics, stop_reason="end_turn", interrupts=[], message={}, structured_output=None)
    return SimpleNamespace(result=inner)


def test_the_agents_of_a_swarm_are_read_in_the_order_of_their_words():
    order = [SimpleNamespace(node_id=name) for name in ("front", "back", "front")]
    results = {"back": node_result("second", "c2"), "front": node_result("first", "c1")}
    seen = TurnRecord()
    read_task(SimpleNamespace(node_history=order, results=results, interrupts=[], status="completed"), seen)
    reply = seen.reply()
    assert [call.id for call in reply.calls] == ["c1", "c2"]
    assert reply.text == "second"
    assert [each["to"] for each in reply.trace] == ["front", "back"]


def test_a_node_that_raised_is_a_failed_run():
    broken = SimpleNamespace(result=RuntimeError("gone"))
    order = [SimpleNamespace(node_id="front")]
    seen = TurnRecord()
    read_task(SimpleNamespace(execution_order=order, results={"front": broken}, interrupts=[], status="failed"), seen)
    assert seen.reply().error
