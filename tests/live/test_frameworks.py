"""Agents of every framework, examined as they are: `viva test -n python:sample.py:agent`, no line of adapter code."""

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.live.environments import names
from tests.live.viva_in import Ran, interpreter, viva_in

from vivavoce.targets.frameworks.known import FRAMEWORKS

pytestmark = pytest.mark.timeout(900)

SAMPLES = Path(__file__).parent / "frameworks"
EVERYTHING = os.environ.get("VIVA_LIVE") == "all"


@dataclass(frozen=True)
class Sample:
    """How the sample of one framework differs from the others."""

    asks: dict[str, str] = field(default_factory=lambda: {"tool": "pay"})
    """How a test selects its question before it pays; empty: this framework never asks."""
    raises_on_tool_error: bool = False
    """Whether a raising tool ends its run."""
    spends: int | None = 33
    """Input tokens of `both`: three calls of the fake model; None: it does not tell."""
    keeps_calls: bool = True
    """Whether calls are still seen when the run raises."""
    structured: dict[str, Any] | None = field(default_factory=lambda: {"number": 7, "total": 12.5})
    """What `clerk` answers to `invoice`."""
    approved: Any = field(default_factory=lambda: {"approved": True})
    refused: Any = field(default_factory=lambda: {"approved": False, "reason": "too much"})
    """What answers its question, where a yes or no is not what it wants."""
    unwilling: str = ""
    """What a refused call comes back with, where the framework calls that no error."""


KINDS = {
    "agent-framework": Sample(),
    "agno": Sample(),
    "autogen": Sample(asks={}),
    "crewai": Sample(asks={}),
    "dspy": Sample(asks={}, spends=44),
    "google-adk": Sample(raises_on_tool_error=True),
    "haystack": Sample(asks={}, structured=None),
    "langchain": Sample(asks={}, raises_on_tool_error=True),
    "langgraph": Sample(),
    "llama-index": Sample(asks={"reason": "input"}, approved="yes", refused="no", unwilling="not paid"),
    "openai-agents": Sample(),
    "pydantic-ai": Sample(spends=None),
    "smolagents": Sample(asks={}),
    "strands": Sample(),
}


def test_every_framework_has_a_sample_and_an_environment():
    assert KINDS.keys() == {each.name for each in FRAMEWORKS}
    assert KINDS.keys() <= set(names())


@pytest.fixture(scope="module", params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def python(kind: str) -> Path:
    return interpreter(kind, everything=EVERYTHING)


@pytest.fixture(scope="module")
def folder(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp(kind)
    for name in (f"{kind.replace('-', '_')}_agent.py", "brain.py", "everywhere.jsonl", "caught.jsonl"):
        shutil.copy(SAMPLES / name, place / name)
    return place


@pytest.fixture
def examine(kind: str, python: Path, folder: Path):
    def run(name: str, *arguments: str) -> Ran:
        return viva_in(python, folder, "-n", f"python:{kind.replace('-', '_')}_agent.py:{name}", *arguments)

    return run


def write(folder: Path, *cases: dict[str, Any]) -> str:
    (folder / "own.jsonl").write_text("\n".join(json.dumps(case) for case in cases))
    return "own.jsonl"


def test_it_is_examined_as_it_is(kind: str, examine):
    ran = examine("agent", "-i", "everywhere.jsonl")
    assert ran.code == 0, ran.text
    assert [call["result"] for call in ran.calls("sees calls")] == ["21 degrees in Paris", "21 degrees in Rome"]
    if (tokens := KINDS[kind].spends) is not None:
        assert ran.rows["sees calls"]["usage"]["input_tokens"] == tokens


def test_what_is_wrong_is_caught(kind: str, examine):
    ran = examine("agent", "-i", "caught.jsonl")
    assert ran.code == 1
    expected = {"explodes": "error"}
    if KINDS[kind].raises_on_tool_error:
        expected["failed tool"] = "error"
    assert ran.statuses() == {name: expected.get(name, "failed") for name in ran.rows}, ran.text
    assert len(ran.rows) == 7
    assert "the model is gone" in str(ran.rows["explodes"])
    if KINDS[kind].keeps_calls:
        [call] = ran.calls("explodes")
        assert (call["name"], call["result"]) == ("get_weather", "21 degrees in Paris")
    assert "delete_file" in str(ran.rows["forbidden call"]["assertions"])


def test_a_tool_s_error_is_one(kind: str, examine):
    ran = examine("agent", "-i", "caught.jsonl", "--run", "failed tool")
    [call] = ran.calls("failed tool")
    assert call["args"] == {"city": "Atlantis"}
    assert "result" not in call
    if KINDS[kind].raises_on_tool_error:
        assert "no such city" in str(ran.rows["failed tool"])
    else:
        assert call["error"]


@pytest.mark.parametrize("kind", [kind for kind in sorted(KINDS) if KINDS[kind].structured], indirect=True)
def test_structured_output_is_judged_as_such(kind: str, examine, folder: Path):
    cases = write(folder, {"id": "invoice", "input": "invoice", "expected": KINDS[kind].structured})
    ran = examine("clerk", "-i", cases)
    assert ran.code == 0, ran.text
    assert ran.calls("invoice") == []


@pytest.mark.parametrize("kind", [kind for kind in sorted(KINDS) if KINDS[kind].asks], indirect=True)
def test_interrupts_are_answered_by_resume(kind: str, examine, folder: Path):
    sample = KINDS[kind]
    yes, no = {**sample.asks, "payload": sample.approved}, {**sample.asks, "payload": sample.refused}
    after = [{"type": "contains", "value": "done: 1"}]
    cases = write(
        folder,
        {"id": "later", "turns": [{"input": "pay"}, {"resume": yes, "assertions": after}, {"input": "who am I?"}]},
        {"id": "at once", "turns": [{"input": "pay", "resume": yes, "assertions": after}]},
        {"id": "refused", "turns": [{"input": "pay", "resume": no}]},
        {"id": "forgotten", "turns": [{"input": "pay"}, {"input": "who am I?"}]},
    )
    ran = examine("agent", "-i", cases)
    assert ran.statuses() == {
        "later": "passed",
        "at once": "passed",
        "refused": "passed",
        "forgotten": "failed",
    }, ran.text
    for case in ("later", "at once"):
        [call] = ran.calls(case)
        assert (call["name"], call["args"], call["result"]) == ("pay", {"amount": 10}, "paid 10")
    [refused] = ran.calls("refused")
    assert refused.get("error") or refused["result"] == sample.unwilling
    assert "resume: [{" in ran.text


def test_conversations_at_once_do_not_mix(examine, folder: Path):
    cases = write(
        folder,
        *(
            {
                "id": f"n{number}",
                "turns": [
                    {"input": f"my name is N{number}"},
                    {"input": "weather"},
                    {"input": "who am I?", "assertions": [{"type": "equals", "value": f"You are N{number}"}]},
                ],
            }
            for number in range(32)
        ),
    )
    ran = examine("agent", "-i", cases, "-j", "32")
    assert ran.code == 0, ran.text
    assert {len(ran.calls(case)) for case in ran.rows} == {1}


def test_the_case_s_history_comes_first(examine, folder: Path):
    history = [{"role": "user", "content": "my name is Zoe"}, {"role": "assistant", "content": "hello"}]
    messages = [*history, {"role": "user", "content": "who am I?"}]
    ran = examine("agent", "-i", write(folder, {"id": "h", "messages": messages, "expected": "You are Zoe"}))
    assert ran.code == 0, ran.text


def test_a_result_returned_by_a_function_is_read_the_same_way(examine):
    ran = examine("answer", "-i", "everywhere.jsonl", "--run", "sees calls")
    assert ran.code == 0, ran.text
    assert len(ran.calls("sees calls")) == 2
