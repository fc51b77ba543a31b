"""Objects of a framework as targets: made ready once, made anew by functions and classes, with dependencies."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.fakes.user_agents import say, target_of

from vivavoce.errors import CallFailed, UsageError
from vivavoce.targets.frameworks.on_demand import FrameworkObjects, known_result

pytestmark = pytest.mark.skipif(find_spec("pydantic_ai") is None, reason="pydantic-ai is not installed")

CODE = """
from pydantic_ai import Agent
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.messages import ModelResponse, TextPart

def model(messages, info):
    return ModelResponse(parts=[TextPart(f"{len(messages)} {info.instructions}")])

agent = Agent(FunctionModel(model), deps_type=str)

@agent.instructions
def who(ctx):
    return f"for {ctx.deps}"

made = []

def make():
    made.append(Agent(FunctionModel(model)))
    return made[-1]

class Made:
    def __new__(cls):
        return make()

def deps(ctx):
    return ctx.case_id

async def answer(text):
    return await agent.run(text, deps="me")

async def pieces(text):
    yield await agent.run(text, deps="me")
"""


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("agents.py").write_text(CODE)


def agent(name: str, **config: str):
    return target_of("python", Path.cwd(), python=f"agents.py:{name}", **config)


async def test_deps_are_made_for_each_conversation():
    [reply] = await say(agent("agent", deps="agents.py:deps"), "hi")
    assert reply.text == "1 for T1"


def test_deps_are_refused_where_they_mean_nothing(monkeypatch: pytest.MonkeyPatch):
    from vivavoce.targets.frameworks import pydantic_ai

    monkeypatch.setattr(pydantic_ai.Agent, "takes_deps", False)
    with pytest.raises(UsageError, match="an agent of pydantic-ai takes no `deps`"):
        agent("agent", deps="agents.py:deps")


@pytest.mark.parametrize("name", ["make", "Made"])
async def test_a_function_or_class_that_makes_an_agent_makes_one_for_each_conversation(name: str):
    target = agent(name)
    first = await say(target, "one", "two")
    second = await say(target, "one")
    assert [reply.text for reply in (*first, *second)] == ["1 None", "3 None", "1 None"]
    made = sys.modules.get("agents")
    assert made is None or len(made.made) == 2


@pytest.mark.parametrize("name", ["answer", "pieces"])
async def test_a_result_that_a_function_returns_or_yields_is_read(name: str):
    [reply] = await say(agent(name), "hi")
    assert reply.text == "1 for me"
    assert reply.shows_calls


def test_an_object_is_made_ready_once():
    from pydantic_ai import Agent

    objects, one = FrameworkObjects(), Agent("test")
    first = objects.get(one, "it")
    assert first is not None
    assert objects.get(one, "it") is first
    assert objects.get("text", "it") is None
    assert known_result("text") is None


async def test_a_version_that_lacks_something_is_an_error_with_both_versions(monkeypatch: pytest.MonkeyPatch):
    import pydantic_ai

    monkeypatch.delattr(pydantic_ai, "capture_run_messages")
    with pytest.raises(CallFailed, match=r"pydantic-ai \d.* does not fit: viva reads pydantic-ai 1\.0 and newer"):
        await say(agent("agent"), "hi")
