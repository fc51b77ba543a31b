"""LangChain's runnables: what they are called with, and what their callbacks and outputs mean."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import UsageError
from vivavoce.targets.foreign_replies import from_foreign
from vivavoce.targets.frameworks.langchain import Agent, InputForm, _Runs, read_end, read_output, read_start, taken_by
from vivavoce.targets.frameworks.turn_record import TurnRecord


def chain(needed: list[str], optional: tuple[str, ...] = (), **more: Any) -> Any:
    prompt = SimpleNamespace(input_variables=needed, optional_variables=list(optional))
    schema = {"properties": {key: {} for key in needed}, "required": needed}
    return SimpleNamespace(get_input_jsonschema=lambda: schema, get_prompts=lambda: [prompt], **more)


def test_the_schema_says_what_a_chain_is_called_with():
    assert taken_by(chain(["question"])) == InputForm(("question",))
    assert taken_by(chain(["question"], ("chat_history",))) == InputForm(("question",), "chat_history")
    assert taken_by(chain(["question", "history"])) == InputForm(("question",), "history")
    assert taken_by(chain(["messages"])) == InputForm((), "messages", messages=True)
    assert taken_by(chain(["root"])) == InputForm()
    assert taken_by(SimpleNamespace()) == InputForm()


def test_an_executor_is_called_with_what_its_agent_s_prompt_wants():
    executor = chain([], agent=SimpleNamespace(runnable=chain(["input"], ("chat_history", "agent_scratchpad"))))
    assert taken_by(executor) == InputForm(("input",), "chat_history")


def test_a_chain_without_history_takes_one_line():
    assert "MessagesPlaceholder" in Agent(chain(["question"])).one_turn
    assert Agent(chain(["question"], ("chat_history",))).one_turn == ""


def test_a_shared_memory_is_refused():
    with pytest.raises(UsageError, match="one for all conversations"):
        Agent(chain(["question"], memory=object()))


def test_a_run_belongs_to_the_call_that_the_model_asked_for():
    runs = _Runs()
    runs.asked([{"id": "c1", "name": "pay", "args": {"n": 1}}, {"id": "c2", "name": "pay", "args": {"n": 2}}])
    assert runs.start("r1", "", "pay", {"n": 2})
    assert runs.start("r2", "c1", "pay", {"n": 1})
    assert not runs.start("r3", "", "pay", {"n": 2})
    assert [runs.id_of(run) for run in ("r1", "r2", "r3")] == ["c2", "c1", "r3"]


def test_a_tool_that_no_model_asked_for_is_a_call_and_its_error_one():
    seen = TurnRecord()
    read_start({"id": "r1", "name": "search", "args": {"q": "x"}}, seen)
    read_end({"id": "r1", "output": SimpleNamespace(tool_call_id="r1", content="gone", status="error")}, seen)
    [call] = seen.reply().calls
    assert (call.name, call.args, call.error) == ("search", {"q": "x"}, "gone")


@pytest.mark.parametrize(
    ("out", "text"),
    [
        ("hi", "hi"),
        (type("TextAccessor", (str,), {})("hi"), "hi"),
        (SimpleNamespace(type="ai", content="hi", text="hi"), "hi"),
        ({"output": "hi"}, "hi"),
        ({"answer": "hi", "context": [object()]}, "hi"),
        ({"total": 3}, '{"total":3}'),
    ],
)
def test_every_kind_of_output_is_read(out: Any, text: str):
    seen = TurnRecord()
    read_output(out, seen)
    said = seen.reply().text
    assert type(said) is str
    assert said.replace(" ", "") == text


def test_the_call_that_hands_over_structured_output_is_none():
    seen = TurnRecord()
    seen.called("c1", "Invoice", {"total": 3})
    read_output({"total": 3}, seen)
    assert seen.reply().calls == ()
    assert seen.reply().data == {"total": 3}


def test_the_real_model_s_tokens_are_counted():
    usage = said("langchain", "both").usage
    assert usage is not None
    assert usage.input_tokens == 33


def test_what_an_executor_returned_from_a_function_shows_its_steps():
    action = {"tool": "pay", "tool_input": {"n": 1}, "tool_call_id": "c1", "log": ""}
    reply = from_foreign({"input": "x", "output": "done", "intermediate_steps": [[action, "paid"], ["odd"]]}, "x")
    assert reply is not None
    assert reply.text == "done"
    [call] = reply.calls
    assert (call.id, call.name, call.args, call.result) == ("c1", "pay", {"n": 1}, "paid")
    assert len(reply.unread) == 1
