"""What a simulator is told before it speaks."""

from tests.unit.speakers.talk import simulated, talk, turn

from vivavoce.model.case import AssertionSpec, CallOptions, Case, Checkpoint, SimulatorSpec
from vivavoce.model.message import AgentReply, Interrupt, Message, ToolCall
from vivavoce.model.transcript import Line, Transcript
from vivavoce.speakers.simulator_request import simulator_request

CHECK = (AssertionSpec(type="contains", fields={"value": "x"}),)
CASE = Case(
    id="T001",
    checkpoints=(Checkpoint(id="a", assertions=CHECK), Checkpoint(id="b", assertions=CHECK)),
)
SPEC = SimulatorSpec(
    use="agents:sim",
    options=CallOptions(
        metadata={"persona": "New employee", "goal": "Submit expense", "style": "formal", "max_turns": 3}
    ),
)


def request_for(transcript: Transcript, case: Case = CASE, spec: SimulatorSpec = SPEC):
    return simulator_request(case, spec, transcript, 10, "session-1")


def test_the_opening_request_holds_everything_of_the_seeds():
    assert request_for(talk()) == {
        "test_mode": "simulator",
        "test_id": "T001",
        "session_id": "session-1",
        "persona": "New employee",
        "goal": "Submit expense",
        "style": "formal",
        "conversation": [],
        "last_response": "",
        "turn_number": 1,
        "turn_count": 1,
        "max_turns": 10,
        "tool_results": {},
        "checkpoints_reached": [],
        "checkpoints_pending": ["a", "b"],
    }


def test_the_conversation_grows_and_checkpoints_fall():
    request = request_for(
        talk(
            turn("I want to submit an expense", "What type of expense?", reached=("a",)),
            turn(simulated("Travel expense"), "Please confirm the details..."),
        )
    )
    assert request["conversation"] == [
        {"role": "user", "content": "I want to submit an expense"},
        {"role": "assistant", "content": "What type of expense?"},
        {"role": "user", "content": "Travel expense"},
        {"role": "assistant", "content": "Please confirm the details..."},
    ]
    assert request["last_response"] == "Please confirm the details..."
    assert (request["turn_number"], request["turn_count"]) == (3, 3)
    assert (request["checkpoints_reached"], request["checkpoints_pending"]) == (["a"], ["b"])


def test_a_user_hears_neither_system_prompts_nor_tool_messages_nor_attachments():
    history = [Message(role="system", content="be kind"), Message(role="assistant", content="Welcome")]
    picture = Line(content=[{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:…"}}])
    reply = AgentReply(text="A cat.", calls=(ToolCall(name="see", result="cat"),))
    assert request_for(talk(turn(picture, reply), history=history))["conversation"] == [
        {"role": "assistant", "content": "Welcome"},
        {"role": "user", "content": "look\n[image_url]"},
        {"role": "assistant", "content": "A cat."},
    ]


def test_the_last_response_may_be_in_the_history_or_be_structured():
    history = [Message(role="assistant", content="Welcome"), Message(role="user", content="Hi")]
    assert request_for(talk(history=history))["last_response"] == "Welcome"
    assert request_for(talk(turn("Hi", AgentReply(data={"b": 1, "a": 2}))))["last_response"] == '{"a":2,"b":1}'


def test_each_tools_newest_result_is_told_and_a_silent_call_is_not():
    calls = (
        ToolCall(name="create", result={"id": 1}),
        ToolCall(name="create", result={"id": 2}),
        ToolCall(name="pay", error="card refused"),
        ToolCall(name="started_only"),
    )
    request = request_for(talk(turn("Hi", AgentReply(calls=calls))))
    assert request["tool_results"] == {"create": {"id": 2}, "pay": {"error": "card refused"}}


def test_what_the_agent_hopes_for_is_told():
    reply = AgentReply(text="?", input_hint="e.g. $3500", interrupts=(Interrupt(id="i1", message="Approve?"),))
    request = request_for(talk(turn("Hi", reply)))
    assert request["input_hint"] == "e.g. $3500"
    assert request["interrupts"] == [{"id": "i1", "message": "Approve?"}]


def test_persona_and_goal_are_always_there():
    request = request_for(talk(), spec=SimulatorSpec(use="agents:sim"))
    assert (request["persona"], request["goal"]) == ("", "")
