"""DSPy: what its recorded calls and predictions mean, and which inputs take what."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import UsageError
from vivavoce.model.message import Usage
from vivavoce.targets.frameworks.dspy import Agent, _Inputs, _writes_code, read_answer, read_noted, read_result
from vivavoce.targets.frameworks.turn_record import TurnRecord


class History:
    pass


class Prediction(dict[str, Any]):
    def get_lm_usage(self) -> None:
        return None


class Module:
    """Takes any inputs, so that its signature tells them."""

    def __init__(self, **inputs: Any) -> None:
        fields = {name: SimpleNamespace(annotation=kind) for name, kind in inputs.items()}
        self.signature = SimpleNamespace(input_fields=fields, output_fields={"reasoning": None, "reply": None})

    def forward(self, **inputs: Any) -> None: ...

    def named_sub_modules(self) -> list[tuple[str, Any]]:
        return [("self", self)]


class CodeAct(Module):
    pass


class Own(Module):
    def forward(self, text: str, history: Any = None) -> None: ...


def test_a_failed_tool_has_an_error():
    [call] = said("dspy", "atlantis").calls
    assert call.error == "no such city"


def test_calls_of_a_run_that_raised_are_kept():
    [call] = said("dspy", "explode").calls
    assert (call.name, call.result) == ("get_weather", "21 degrees in Paris")


def test_one_output_is_the_answer_and_finish_is_no_call():
    reply = said("dspy", "invoice")
    assert (reply.data, reply.calls, reply.usage) == ({"number": 7, "total": 12.5}, (), Usage(11, 5))
    seen = TurnRecord()
    read_noted([{"id": "f", "name": "finish", "args": {}, "at": 1}, {"id": "f", "result": "", "error": None}], seen)
    assert seen.reply().calls == ()


def test_several_outputs_are_data_by_name_and_a_text_is_a_text():
    seen = TurnRecord()
    assert read_answer(Prediction(answer="a", score=1, reasoning="r"), seen) == {"answer": "a", "score": 1}
    assert seen.reply().data == {"answer": "a", "score": 1}
    seen = TurnRecord()
    assert read_answer("hello", seen) == {"answer": "hello"}
    assert seen.reply().text == "hello"


def test_a_prediction_alone_tells_the_calls_of_its_trajectory():
    seen = TurnRecord()
    failed = "Execution error in pay: \nTraceback (most recent call last):\n  File x\nValueError: no money"
    trajectory = {
        "tool_name_0": "look",
        "tool_args_0": {"at": 1},
        "observation_0": "21",
        "tool_name_1": "pay",
        "tool_args_1": {},
        "observation_1": failed,
        "tool_name_2": "finish",
        "tool_args_2": {},
        "observation_2": "Completed.",
    }
    read_result(Prediction(trajectory=trajectory, answer="done"), seen)
    look, pay = seen.reply().calls
    assert (look.args, look.result) == ({"at": 1}, "21")
    assert pay.error == "ValueError: no money"
    assert seen.reply().text == "done"


def test_inputs_are_found_in_the_signature_or_in_forward():
    found = _Inputs(Module(past=History, count=int, question=str))
    assert (found.words, found.history, found.answer) == ("question", "past", "reply")
    own = _Inputs(Own())
    assert (own.words, own.history) == ("text", None)
    with pytest.raises(UsageError, match="no text input"):
        _Inputs(Module(count=int))


def test_a_module_without_history_takes_one_line():
    assert "no memory" in Agent(Module(question=str)).one_turn
    assert Agent(Module(question=str, history=History)).one_turn == ""


def test_modules_that_write_code_are_known():
    assert _writes_code(CodeAct(question=str))
    assert not _writes_code(Module(question=str))
