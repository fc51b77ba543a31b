"""The tools of a framework's agent, listed without calling it; tests/live lists those of every framework."""

from typing import TYPE_CHECKING, Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.frameworks.known import framework_of
from vivavoce.targets.frameworks.objects import FrameworkObject
from vivavoce.targets.frameworks.offered_tools import each_agent, function_schema, specs_of

if TYPE_CHECKING:
    from pydantic_ai import Agent


def made() -> "Agent":
    from pydantic_ai import Agent  # late: its import is slow, and most tests do not need it
    from pydantic_ai.models.test import TestModel

    agent = Agent(TestModel())

    @agent.tool_plain
    def price_of(item: str, currency: str = "EUR") -> float:
        """What it costs."""
        return 18.0

    return agent


def tools_of(agent: Any) -> Any:
    framework = framework_of(agent)
    assert framework is not None
    return FrameworkObject(framework, agent, None).tools()


def test_names_and_parameters_of_a_real_agent():
    [tool] = tools_of(made())
    assert tool.name == "price_of"
    assert sorted(tool.parameters["properties"]) == ["currency", "item"]


def test_an_object_that_has_none_of_what_is_read_is_an_error_and_not_an_agent_without_tools():
    other = type("Agent", (), {"__module__": "pydantic_ai", "run_stream": None})
    with pytest.raises(CallFailed):
        tools_of(other())


def test_each_tool_once_and_what_is_no_schema_is_none():
    specs = specs_of([("a", {"type": "object"}), ("a", None), ("b", object())])
    assert [(spec.name, spec.parameters) for spec in specs] == [("a", {"type": "object"}), ("b", {})]


def test_a_function_tells_the_names_of_its_parameters():
    def pay(amount: int, to: str) -> None: ...

    assert function_schema(pay)["properties"] == {"amount": {}, "to": {}}
    assert function_schema(print) is not None


def test_agents_that_pass_the_word_in_circles_are_each_met_once():
    passes = {"a": ["b", "c"], "b": ["a"], "c": ["b"]}
    assert list(each_agent("a", lambda one: passes[one])) == ["a", "b", "c"]
