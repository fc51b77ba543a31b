"""smolagents: what its recorded steps mean, and what is seen of a CodeAgent's tools."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.model.message import AgentReply, Usage
from vivavoce.targets.frameworks.smolagents import Agent, SmolConversation, read_result
from vivavoce.targets.frameworks.turn_record import TurnRecord


def named(kind: str, **fields: Any) -> Any:
    return type(kind, (), {})() if not fields else type(kind, (SimpleNamespace,), {})(**fields)


def read(*events: Any) -> AgentReply:
    seen = TurnRecord()
    for event in events:
        read_result(event, seen)
    return seen.reply()


class Tool:
    inputs = ("city", "unit")

    def __call__(self, city: str, unit: str = "C") -> str:
        if city == "Atlantis":
            raise ValueError("no such city")
        return f"21 {unit} in {city}"


class CodeAgent:
    """Calls its tool as the code of a real one does, and yields what a real one yields."""

    system_prompt, model, logger = "", None, None

    def __init__(self, executor: str) -> None:
        self.managed_agents: dict[str, Any] = {}
        self.python_executor = named(executor)
        self.memory = named("Memory")
        self.monitor = named("Monitor")
        type(self.memory).__init__ = lambda memory, prompt: setattr(memory, "steps", [])  # pyright: ignore
        type(self.monitor).__init__ = lambda monitor, model, logger: None  # pyright: ignore
        self.tools = {"weather": Tool(), "final_answer": Tool()}

    def create_python_executor(self) -> object:
        return object()

    def run(self, words: str, *, stream: bool, reset: bool, images: Any) -> Any:
        yield named("ToolCall", id="1", name="python_interpreter", arguments=f"weather({words!r}, unit='F')")
        try:
            output = self.tools["weather"](words, unit="F")
        except ValueError:
            output = "sorry"
        yield named("FinalAnswerStep", output=output)


def test_the_error_of_a_step_is_that_of_its_call():
    [call] = said("smolagents", "atlantis").calls
    assert "ValueError: no such city" in str(call.error)


def test_calls_of_a_run_that_raised_are_kept():
    [call] = said("smolagents", "explode").calls
    assert (call.name, call.result) == ("get_weather", "21 degrees in Paris")


def test_the_final_answer_is_data_and_no_call():
    reply = said("smolagents", "invoice")
    assert (reply.data, reply.calls, reply.usage) == ({"number": 7, "total": 12.5}, (), Usage(11, 5))


def test_of_several_calls_the_one_that_the_error_names_failed():
    calls = [
        SimpleNamespace(id=key, function=SimpleNamespace(name="pay", arguments={"to": key})) for key in ("ada", "bob")
    ]
    error = SimpleNamespace(message="Error executing tool 'pay' with arguments {'to': 'bob'}: no money")
    message = SimpleNamespace(tool_calls=calls)
    reply = read(
        *(named("ToolCall", id=key, name="pay", arguments={"to": key}) for key in ("ada", "bob")),
        named("ActionStep", error=error, model_output_message=message, token_usage=None),
    )
    assert [call.error for call in reply.calls] == [None, error.message]


def test_used_up_steps_are_the_finish_reason():
    error = named("AgentMaxStepsError", message="Reached max steps.")
    reply = read(named("ActionStep", error=error, model_output_message=None, token_usage=None))
    assert reply.finish_reason == "max_steps"


def test_a_run_result_is_read_by_its_steps():
    call = {"id": "c1", "function": {"name": "pay", "arguments": {"to": "Ada"}}}
    steps: list[Any] = [
        {"task": "pay"},
        {"tool_calls": [call], "observations": "paid", "error": None},
        {"tool_calls": [], "model_output_message": {"tool_calls": [call]}, "error": {"message": "no money"}},
    ]
    reply = read(named("RunResult", steps=steps, state="success", output="done", token_usage=None))
    paid, failed = reply.calls
    assert (paid.name, paid.result, paid.error) == ("pay", "paid", None)
    assert failed.error == "no money"
    assert reply.text == "done"


async def test_calls_of_code_that_runs_here_are_seen():
    talk = SmolConversation(CodeAgent("LocalPythonExecutor"))
    for words in ("Rome", "Atlantis"):
        seen = TurnRecord()
        await talk.say(words, (), seen)
        [call] = seen.reply().calls
        assert (call.name, call.args) == ("weather", {"city": words, "unit": "F"})
        assert (call.error or call.result) == {"Rome": "21 F in Rome", "Atlantis": "no such city"}[words]
        assert seen.reply().unread == ()


async def test_code_that_runs_elsewhere_is_unread():
    talk = SmolConversation(CodeAgent("DockerExecutor"))
    seen = TurnRecord()
    await talk.say("Rome", (), seen)
    assert [piece.where for piece in seen.reply().unread] == ["the code that the agent wrote"]
    assert seen.reply().calls == ()


@pytest.mark.parametrize(("executor", "alone"), [("LocalPythonExecutor", False), ("DockerExecutor", True)])
def test_conversations_share_no_interpreter(executor: str, alone: bool):
    assert bool(Agent(CodeAgent(executor)).one_at_a_time) is alone
