"""An agent of viva.yaml is checked against the fields of its own kind."""

from typing import Any

import pytest

from vivavoce.configuration.agent_entries import checked_agents
from vivavoce.plugins.catalog import TARGETS
from vivavoce.project.settings import AgentConfig


def objections(**entry: Any) -> list[str]:
    agents, found = checked_agents({"a": entry})
    assert not (agents and found)
    return [f"{what} ({hint})" for _, what, hint in found]


@pytest.mark.parametrize("written", [None, [{"python": "a.py:f"}], "python:a.py:f"])
def test_agents_that_are_no_mapping_are_answered_with_how_to_write_them(written: Any):
    ((steps, what, hint),) = checked_agents(written)[1]
    assert (steps, "wanted an object" in what) == (("agents",), True)
    assert hint == "below it, indented: NAME: {python: file.py:function}"


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ({"agui": "http://x", "headers": {"A": "b"}, "tools": [{"name": "t"}]}, "agui"),
        ({"agui-replay": "runs", "state": {"a": 1}}, "agui-replay"),
        ({"openai": "http://x/v1", "model": "m", "key": "k", "stream": True, "options": {"top_p": 1}}, "openai"),
        ({"python": "m:f", "description": "d"}, "python"),
        ({"cmd": ["a", "b"], "cwd": "x", "env": {"A": "b"}}, "cmd"),
        ({"package": "p", "options": {"temperature": 0}}, "package"),
        ({"script": "s.f", "model": "m"}, "script"),
    ],
)
def test_short_and_long_form_mean_the_same(entry: dict[str, Any], kind: str):
    wanted = {"a": AgentConfig(kind=kind, fields=entry, max_parallel=2, rate="1/s")}
    limits = {"max_parallel": 2, "rate": "1/s"}
    assert checked_agents({"a": {**entry, **limits}}) == (wanted, [])
    assert checked_agents({"a": {"kind": kind, **entry, **limits}}) == (wanted, [])


def test_a_field_of_another_kind_is_refused():
    (objection,) = objections(cmd="x", headers={"A": "b"})
    assert objection.startswith("agents.a: unknown field 'headers' (known: cmd, cwd, description, ")
    assert ", env, kind, max_parallel, " in objection
    assert objections(python="m:f", drescription="x") == [
        "agents.a: unknown field 'drescription' (did you mean 'description'?)"
    ]


def test_exactly_one_kind_is_wanted():
    kinds = [TARGETS.load(name) for name in TARGETS.built_in if TARGETS.load(name).name == name]
    known = ", ".join(kind.name for kind in kinds if kind.fields is not None)
    assert known.startswith("agui, ")
    assert objections(cmd="x", agui="y") == [
        f"agent 'a' needs exactly one of {known}; it has cmd and agui (or write kind: NAME)"
    ]
    assert objections(description="x") == [f"agent 'a' needs exactly one of {known}; it has none (or write kind: NAME)"]


def test_a_misspelt_kind_is_hinted_at():
    assert objections(pyton="m:f") == ["agents.a: unknown field 'pyton' (did you mean 'python'?)"]
    assert objections(kind="pyton", python="m:f") == [
        "agents.a.kind: unknown kind of agent 'pyton' (did you mean 'python'?)"
    ]
    assert objections(kind=3) == ["agents.a.kind: wanted text, found 3 (put it in quotes)"]


def test_what_a_kind_needs_must_be_there():
    assert objections(kind="agui") == ["agents.a: 'agui' is missing (None)"]


def test_a_kind_for_references_only_is_no_named_agent():
    assert objections(kind="script_tests") == ["agents.a: an agent of kind 'script_tests' cannot be named here (None)"]


def test_a_reference_in_place_of_an_entry_is_hinted_at():
    _, (objection,) = checked_agents({"a": "python:app.py:agent"})
    assert objection[1:] == (
        'agents.a: wanted an object, found "python:app.py:agent"',
        "write {python: app.py:agent}",
    )
    _, ((_, _, hint),) = checked_agents({"a": "nothing known"})
    assert hint is None or "write {" not in hint


@pytest.mark.parametrize(
    "entry",
    [
        {"agui": "http://x", "idle_timeout": 30},
        {"a2a": "http://x", "turn_timeout": 30},
        {"http": {"url": "http://x"}, "serve": {"cmd": ["x"], "ready": 80, "timeout": 30}},
    ],
)
def test_a_number_in_place_of_a_duration_is_hinted_at_with_a_unit(entry: dict[str, Any]):
    (objection,) = objections(**entry)
    assert objection.endswith('wanted text, found 30 (write it like "30s" or "2m")')


def test_yaos_way_to_name_a_variable_means_the_same_at_every_agent():
    headers = {"authorization": "Bearer $ENV.SHOP_KEY", "x": "${ENV.A} $ENV.B"}
    agents, _ = checked_agents({"a": {"http": {"url": "http://x", "headers": headers}}})
    assert agents["a"].fields["http"]["headers"] == {
        "authorization": "Bearer ${ENV.SHOP_KEY}",
        "x": "${ENV.A} $ENV.B",
    }
