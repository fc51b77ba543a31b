"""Haystack: what its recorded messages mean."""

from types import SimpleNamespace
from typing import Any

from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.model.message import Usage
from vivavoce.targets.frameworks.haystack import _StateWatcher, _watched, read_end, read_messages
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
