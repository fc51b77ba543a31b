"""Haystack: what its recorded messages mean."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import UsageError
from vivavoce.model.message import Usage
from vivavoce.targets.frameworks.haystack import (
    _LAST,
    Input,
    PipelineConversation,
    _read_parts,
    _StateWatcher,
    _watched,
    read_component,
    read_end,
    read_messages,
    wanted_inputs,
)
from vivavoce.targets.frameworks.turn_record import TurnRecord


def message(role: str, **fields: Any) -> SimpleNamespace:
    given = {"text": None, "tool_calls": [], "tool_call_result": None, **fields}
    return SimpleNamespace(role=SimpleNamespace(value=role), **given)


def test_a_failed_tool_has_an_error():
    [call] = said("haystack", "atlantis").calls
    assert "no such city" in str(call.error)


def test_calls_of_a_run_that_raised_are_kept():
    [call] = said("haystack", "explode").calls
    assert (call.name, call.result) == ("get_weather", "21 degrees in Paris")


def test_tokens_and_the_exit_reason_are_read():
    reply = said("haystack", "both")
    assert (reply.usage, reply.finish_reason) == (Usage(33, 15), "text")


def test_only_what_follows_the_user_s_last_line_counts():
    seen = TurnRecord()
    calls = [SimpleNamespace(id=key, tool_name=key, arguments={}) for key in ("old", "new")]
    read_messages(
        [
            message("user", text="before"),
            message("assistant", tool_calls=calls[:1]),
            message("user", text="now"),
            message("assistant", tool_calls=calls[1:]),
        ],
        seen,
    )
    assert [call.name for call in seen.reply().calls] == ["new"]


def test_keys_of_its_own_are_the_state():
    seen = TurnRecord()
    read_end({"messages": [], "exit_reason": "max_agent_steps", "documents": ["a"]}, seen)
    reply = seen.reply()
    assert (reply.state, reply.finish_reason, reply.usage) == ({"documents": ["a"]}, "max_agent_steps", None)


def test_the_hook_is_put_into_a_copy():
    mine = object()
    agent = SimpleNamespace(hooks={"before_llm": [mine]})
    watcher = _StateWatcher()
    assert _watched(agent, watcher).hooks == {"before_llm": [mine, watcher]}
    assert agent.hooks == {"before_llm": [mine]}
    hookless = SimpleNamespace()
    assert _watched(hookless, watcher) is hookless


def pipeline(**inputs: Any) -> Any:
    described = {
        name: {key: {"type": kind, "is_mandatory": must} for key, (kind, must) in several.items()}
        for name, several in inputs.items()
    }
    return SimpleNamespace(inputs=lambda: described)


def test_the_words_go_into_the_input_that_must_be_given():
    [into] = wanted_inputs(pipeline(prompt={"question": (str, True), "template": (str, False)}))
    assert (into.component, into.name, into.messages) == ("prompt", "question", False)
    [into] = wanted_inputs(pipeline(agent={"messages": ("list[ChatMessage]", True)}))
    assert into.messages


def test_a_pipeline_that_needs_nothing_is_refused():
    with pytest.raises(UsageError, match="requires no input"):
        wanted_inputs(pipeline(prompt={"template": (str, False)}))


def test_words_count_only_where_nothing_follows():
    seen = TurnRecord()
    read_component({"replies": ["draft"], _LAST: False}, seen)
    read_component({"answers": [SimpleNamespace(data="final")], _LAST: True}, seen)
    assert seen.reply().text == "final"


def spoken(text: str | None = None, *ids: str) -> SimpleNamespace:
    calls = [SimpleNamespace(id=each, tool_name="pay", arguments={}) for each in ids]
    return message("assistant", text=text, tool_calls=calls, tool_call_results=[], meta={})


def test_messages_that_are_handed_on_are_read_once():
    known: set[str] = set()
    seen = TurnRecord()
    _read_parts({"model": {"replies": [spoken(None, "c1")]}}, set(), known, seen)
    _read_parts({"collector": {"messages": [spoken(None, "c1"), spoken(None, "c2")]}}, set(), known, seen)
    assert [call.id for call in seen.reply().calls] == ["c1", "c2"]


def test_calls_without_ids_are_never_taken_for_repeated_ones():
    known: set[str] = set()
    seen = TurnRecord()
    for _ in range(2):
        _read_parts({"model": {"replies": [spoken(None, "")]}}, set(), known, seen)
    assert len(seen.reply().calls) == 2


class Graph:
    """As much of a graph as a conversation uses."""

    def __init__(self, **parts: Any) -> None:
        self.nodes = {name: {"instance": part} for name, part in parts.items()}

    def copy(self) -> "Graph":
        return Graph(**{name: node["instance"] for name, node in self.nodes.items()})


class BrokenPipeline:
    """One agent whose model raises after its first call."""

    def __init__(self) -> None:
        self.agent = SimpleNamespace(hooks={})
        self.graph = Graph(agent=self.agent)

    def outputs(self) -> dict[str, Any]:
        return {"agent": {}}

    async def run_async_generator(self, data: Any, told: set[str]) -> Any:
        state = SimpleNamespace(data={"messages": list(data["agent"]["messages"])})
        for hook in self.graph.nodes["agent"]["instance"].hooks["before_llm"]:
            hook.run(state)
        state.data["messages"].append(spoken(None, "c1"))
        raise RuntimeError("the model is gone")
        yield


async def test_calls_of_an_agent_that_raises_inside_a_pipeline_are_kept(monkeypatch: pytest.MonkeyPatch):
    library = SimpleNamespace(ChatMessage=SimpleNamespace(from_user=lambda text: message("user", text=text)))
    monkeypatch.setitem(sys.modules, "haystack.dataclasses", library)
    monkeypatch.setitem(sys.modules, "haystack", SimpleNamespace(dataclasses=library))
    made = BrokenPipeline()
    talk = PipelineConversation(made, [Input("agent", "messages", True)], {})
    for _ in range(2):
        seen = TurnRecord()
        with pytest.raises(RuntimeError, match="the model is gone"):
            await talk.say("hi", (), seen)
        assert [call.id for call in seen.reply().calls] == ["c1"]
    assert made.agent.hooks == {}, "the agent itself is left as it was"
