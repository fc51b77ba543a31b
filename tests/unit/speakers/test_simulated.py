"""An agent or script that plays the user."""

from typing import Any

import msgspec
import pytest
from tests.unit.speakers.talk import FakeAgents, simulated, talk, turn

from vivavoce.errors import CallFailed
from vivavoce.model.case import AssertionSpec, CallOptions, Case, Checkpoint, ResumeAnswer, SimulatorSpec
from vivavoce.model.message import AgentReply, Interrupt
from vivavoce.model.transcript import Ending, EndReason, Line
from vivavoce.speakers.simulated import SimulatedSpeaker

CASE = Case(id="T001", options=CallOptions(mode="chat"))
SPEC = SimulatorSpec(use="agents:sim", options=CallOptions(connector="gpt", metadata={"goal": "Submit it"}))
CHECK = (AssertionSpec(type="contains", fields={"value": "x"}),)
INTERRUPTED = AgentReply(text="Approve?", interrupts=(Interrupt(id="i1"),))


def speaker(agents: FakeAgents, case: Case = CASE) -> SimulatedSpeaker:
    return SimulatedSpeaker(case, SPEC, agents, 10, "session-1")


def blamed(detail: str) -> Ending:
    return Ending(EndReason.SIMULATOR_ERROR, detail)


async def test_the_simulator_gets_everything_as_metadata_and_as_one_message():
    agents = FakeAgents("The amount is $500")
    await speaker(agents).next_line(talk(turn("I want to submit an expense", "How much?")))
    [(ref, messages, options, test_id)] = agents.asked
    assert (ref, test_id) == ("agents:sim", "T001")
    assert options.skip == {"history": True}
    assert options.connector == "gpt"
    assert options.metadata["test_mode"] == "simulator"
    assert options.metadata["goal"] == "Submit it"
    assert options.metadata["turn_number"] == 2
    [message] = messages
    assert message.role == "user"
    assert msgspec.json.decode(message.text) == options.metadata


async def test_its_answer_is_the_next_line():
    agents = FakeAgents('{"input": "The amount is $500", "goal_achieved": false, "reasoning": "it was asked"}')
    said = await speaker(agents).next_line(talk(turn("Hi", "How much?")))
    assert said == Line(
        content="The amount is $500", source="simulator", options=CallOptions(mode="chat"), note="it was asked"
    )


async def test_it_may_open_the_conversation():
    said = await speaker(FakeAgents("Help me file an expense")).next_line(talk())
    assert isinstance(said, Line)
    assert said.text == "Help me file an expense"


async def test_a_goal_achieved_without_a_line_ends_the_conversation():
    agents = FakeAgents('{"goal_achieved": true, "reasoning": "Expense submitted"}')
    ending = await speaker(agents).next_line(talk(turn("Hi", "Submitted.")))
    assert ending == Ending(EndReason.GOAL_ACHIEVED, "Expense submitted")


async def test_a_goal_achieved_with_a_line_is_said_and_then_ends_the_conversation():
    agents = FakeAgents('{"input": "Thanks", "goal_achieved": true, "reasoning": "Expense submitted"}')
    simulator = speaker(agents)
    line = await simulator.next_line(talk(turn("Hi", "Submitted.")))
    assert isinstance(line, Line)
    assert (line.text, line.goal_achieved) == ("Thanks", True)
    ending = await simulator.next_line(talk(turn("Hi", "Submitted."), turn(line, "You are welcome.")))
    assert ending == Ending(EndReason.GOAL_ACHIEVED, "Expense submitted")
    assert len(agents.asked) == 1


async def test_quitting_before_the_agent_spoke_is_blamed_on_the_simulator():
    agents = FakeAgents('{"input": "", "goal_achieved": true}')
    detail = "it said the goal was achieved before the agent had said anything"
    assert await speaker(agents).next_line(talk()) == blamed(detail)


@pytest.mark.parametrize(
    ("required", "reached", "reason"),
    [
        (True, (), EndReason.SIMULATOR_ERROR),
        (True, ("a",), EndReason.GOAL_ACHIEVED),
        (False, (), EndReason.GOAL_ACHIEVED),
    ],
)
async def test_quitting_with_the_opening_line_is_blamed_only_when_something_is_missing(
    required: bool, reached: tuple[str, ...], reason: EndReason
):
    case = Case(id="T", checkpoints=(Checkpoint(id="a", assertions=CHECK, required=required),))
    opening = turn(simulated("Order a latte", goal_achieved=True), "What size?", reached=reached)
    ending = await speaker(FakeAgents(), case).next_line(talk(opening))
    assert isinstance(ending, Ending)
    assert ending.reason is reason


async def test_a_later_quitter_is_not_blamed_for_what_the_agent_did_not_do():
    case = Case(id="T", checkpoints=(Checkpoint(id="a", assertions=CHECK),))
    turns = (turn("Hi", "A"), turn(simulated("bye", goal_achieved=True), "Bye."))
    ending = await speaker(FakeAgents(), case).next_line(talk(*turns))
    assert ending == Ending(EndReason.GOAL_ACHIEVED)


async def test_an_object_without_a_line_is_blamed_on_the_simulator():
    ending = await speaker(FakeAgents('{"text": "hm"}')).next_line(talk(turn()))
    assert ending == blamed('its JSON has no line ("input" or "message"): {"text": "hm"}')


async def test_a_call_that_fails_is_blamed_on_the_simulator():
    agents = FakeAgents(CallFailed("rate limited", fault="target", hint="try later"))
    assert await speaker(agents).next_line(talk(turn())) == blamed("agents:sim: rate limited (try later)")


async def test_looping_is_blamed_before_the_third_line_is_sent():
    before = talk(turn(simulated("refund!")), turn(simulated("Refund")))
    ending = await speaker(FakeAgents("refund")).next_line(before)
    assert ending == blamed("it said the same thing 3 times: “refund”")


async def test_answering_as_the_assistant_is_blamed_on_the_simulator():
    ending = await speaker(FakeAgents("How can I help you today?")).next_line(talk())
    assert isinstance(ending, Ending)
    assert ending.reason is EndReason.SIMULATOR_ERROR


@pytest.mark.parametrize(
    ("reply", "content", "resume"),
    [
        ("yes, do it", "yes, do it", ResumeAnswer(payload="yes, do it")),
        ({"resume": {"payload": {"approved": True}}}, "", ResumeAnswer(payload={"approved": True})),
        ({"input": "no", "resume": {"cancelled": True}}, "no", ResumeAnswer(cancelled=True)),
    ],
)
async def test_an_open_interrupt_is_answered(reply: Any, content: str, resume: ResumeAnswer):
    agents = FakeAgents(reply if isinstance(reply, str) else AgentReply(data=reply))
    said = await speaker(agents).next_line(talk(turn("pay", INTERRUPTED)))
    assert isinstance(said, Line)
    assert (said.content, said.resume) == (content, (resume,))


async def test_an_answer_to_no_interrupt_is_left_out_or_blamed():
    both = AgentReply(data={"input": "hi", "resume": 1})
    said = await speaker(FakeAgents(both)).next_line(talk(turn()))
    assert isinstance(said, Line)
    assert said.resume == ()
    ending = await speaker(FakeAgents(AgentReply(data={"resume": 1}))).next_line(talk(turn()))
    assert ending == blamed("it answered an interrupt, but none is open")
