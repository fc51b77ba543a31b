"""What only some frameworks have: crews, teams, agents that write code, modules without a memory."""

import json
import os
import shutil
from pathlib import Path

import pytest
from tests.live.test_frameworks import SAMPLES
from tests.live.viva_in import Ran, interpreter, viva_in

pytestmark = pytest.mark.timeout(900)

FORBID = {"id": "forbid", "input": "both", "assert": {"tools": {"forbid": ["delete_file"]}}}


def examine(kind: str, name: str, folder: Path, *arguments: str) -> Ran:
    python = interpreter(kind, everything=os.environ.get("VIVA_LIVE") == "all")
    sample = f"{kind.replace('-', '_')}_agent.py"
    for file in (sample, "brain.py", "everywhere.jsonl"):
        shutil.copy(SAMPLES / file, folder / file)
    (folder / "forbid.jsonl").write_text(json.dumps(FORBID))
    return viva_in(python, folder, "-n", f"python:{sample}:{name}", *arguments)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("agno", "keeper"),
        ("agno", "team"),
        ("autogen", "team"),
        ("google-adk", "app"),
        ("haystack", "talker"),
        ("smolagents", "coder"),
    ],
    ids=lambda each: each,
)
def test_it_is_examined_like_the_others(kind: str, name: str, tmp_path: Path):
    ran = examine(kind, name, tmp_path, "-i", "everywhere.jsonl")
    assert ran.code == 0, ran.text


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("crewai", "crew"),
        ("crewai", "writer"),
        ("crewai", "Desk"),
        ("dspy", "forgetful"),
        ("dspy", "desk"),
        ("haystack", "helper"),
        ("haystack", "loop"),
        ("smolagents", "whole"),
        ("strands", "graph"),
        ("strands", "swarm"),
    ],
    ids=lambda each: each,
)
def test_its_calls_are_seen(kind: str, name: str, tmp_path: Path):
    ran = examine(kind, name, tmp_path, "-i", "everywhere.jsonl", "--run", "sees calls")
    assert ran.code == 0, ran.text
    assert len(ran.calls("sees calls")) == 2


@pytest.mark.parametrize(
    ("kind", "name"),
    [("crewai", "crew"), ("dspy", "forgetful"), ("haystack", "helper"), ("strands", "swarm"), ("agno", "boss")],
    ids=lambda each: each,
)
def test_a_second_line_is_refused_before_anything_runs(kind: str, name: str, tmp_path: Path):
    ran = examine(kind, name, tmp_path, "-i", "everywhere.jsonl")
    assert ran.code == 2
    assert "everywhere.jsonl:1: the agent takes one line only" in ran.text
    assert ran.rows == {}


@pytest.mark.parametrize(("kind", "name"), [("autogen", "team"), ("strands", "agent")], ids=lambda each: each)
def test_those_that_cannot_run_at_once_take_turns_and_say_so_once(kind: str, name: str, tmp_path: Path):
    ran = examine(kind, name, tmp_path, "-i", "everywhere.jsonl", "-j", "2")
    assert ran.code == 0, ran.text
    assert ran.text.count("conversations with this agent take turns") == 1


def test_code_that_nobody_looked_into_breaks_a_forbid(tmp_path: Path):
    ran = examine("smolagents", "hidden", tmp_path, "-i", "forbid.jsonl")
    assert ran.statuses() == {"forbid": "error"}, ran.text
    assert "the code that the agent wrote" in ran.text


def test_the_tools_of_a_managed_agent_are_seen(tmp_path: Path):
    (tmp_path / "own.jsonl").write_text('{"id": "own", "input": "delegate"}')
    ran = examine("smolagents", "boss", tmp_path, "-i", "own.jsonl")
    assert [call["name"] for call in ran.calls("own")] == ["helper", "get_weather", "get_weather"]
    assert ran.rows["own"]["usage"]["input_tokens"] == 55


def test_the_tools_of_a_team_s_member_are_seen(tmp_path: Path):
    (tmp_path / "own.jsonl").write_text('{"id": "own", "input": "delegate"}')
    ran = examine("agno", "boss", tmp_path, "-i", "own.jsonl")
    assert [call["name"] for call in ran.calls("own")] == ["delegate_task_to_member", "get_weather", "get_weather"]
    assert ran.rows["own"]["usage"]["input_tokens"] == 33


def test_an_object_that_keeps_its_state_has_one_conversation(tmp_path: Path):
    lines = [json.dumps({"id": name, "input": "hi"}) for name in ("one", "two")]
    (tmp_path / "own.jsonl").write_text("\n".join(lines))
    ran = examine("crewai", "flow", tmp_path, "-i", "own.jsonl", "-j", "1")
    assert ran.statuses() == {"one": "passed", "two": "error"}, ran.text
    assert "name its class, or a function that makes one" in ran.text


@pytest.mark.parametrize(("kind", "name"), [("crewai", "Wordless"), ("haystack", "letter")], ids=lambda each: each)
def test_words_that_have_no_place_are_told(kind: str, name: str, tmp_path: Path):
    ran = examine(kind, name, tmp_path, "-i", "forbid.jsonl")
    assert ran.statuses() == {"forbid": "error"}, ran.text
    assert "name a function" in ran.text or "give it a structured state" in ran.text


def test_calls_before_a_component_that_raises_are_kept(tmp_path: Path):
    (tmp_path / "own.jsonl").write_text('{"id": "own", "input": "both"}')
    ran = examine("haystack", "broken", tmp_path, "-i", "own.jsonl")
    assert ran.statuses() == {"own": "error"}, ran.text
    assert [call["args"] for call in ran.calls("own")] == [{"city": "Paris"}, {"city": "Rome"}]


@pytest.mark.parametrize("name", ["talker", "helper"])
def test_calls_of_an_agent_that_raises_inside_a_pipeline_are_kept(name: str, tmp_path: Path):
    cases = [{"id": f"own{at}", "input": "explode"} for at in range(4)]
    (tmp_path / "own.jsonl").write_text("\n".join(map(json.dumps, cases)))
    ran = examine("haystack", name, tmp_path, "-i", "own.jsonl", "-j", "4")
    for at in range(4):
        assert ran.rows[f"own{at}"]["status"] == "error", ran.text
        assert [call["args"] for call in ran.calls(f"own{at}")] == [{"city": "Paris"}]


def test_a_crew_without_a_placeholder_is_refused(tmp_path: Path):
    ran = examine("crewai", "deaf", tmp_path, "-i", "forbid.jsonl")
    assert ran.code == 2
    assert "no placeholder that takes the user's words" in ran.text


@pytest.mark.parametrize("name", ["chain", "retrieval", "several"])
def test_a_chain_answers_one_line(name: str, tmp_path: Path):
    cases = [{"id": "one", "input": "hi", "state": {"language": "German"}, "expected": "hello"}]
    (tmp_path / "own.jsonl").write_text(json.dumps(cases[0]))
    ran = examine("langchain", name, tmp_path, "-i", "own.jsonl")
    assert ran.code == 0, ran.text
    ran = examine("langchain", name, tmp_path, "-i", "everywhere.jsonl")
    assert ran.code == 2
    assert "the chain takes no earlier messages" in ran.text


@pytest.mark.parametrize("name", ["model", "talking"])
def test_a_chain_that_takes_earlier_messages_remembers(name: str, tmp_path: Path):
    case = {"id": "one", "turns": [{"input": "my name is Ada"}, {"input": "who am I?"}]}
    case["assertions"] = [{"type": "equals", "value": "You are Ada"}]
    (tmp_path / "own.jsonl").write_text(json.dumps(case))
    ran = examine("langchain", name, tmp_path, "-i", "own.jsonl")
    assert ran.code == 0, ran.text


def test_a_memory_that_all_conversations_share_is_refused(tmp_path: Path):
    ran = examine("langchain", "shared", tmp_path, "-i", "forbid.jsonl")
    assert ran.code == 2
    assert "one for all conversations" in ran.text
