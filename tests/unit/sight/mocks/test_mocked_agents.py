"""Mocks of a case reach front-end tools and tools of model endpoints, as they do tools of agent packages."""

from pathlib import Path
from typing import Any

import pytest
from tests.fakes.agui_server import call, replies_with, run, serving, text
from tests.fakes.examining import case_of
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import write_files

from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import Attempt, Status
from vivavoce.project.project import Project
from vivavoce.project.settings import AgentConfig, Config
from vivavoce.protocols import Job

CODE = """
def refund(order: int) -> dict:
    "Pays an order back."
    open("really-refunded", "w").close()
    return {"status": "done"}
"""
REFUSED = {"name": "refund", "answer": {"status": "refused"}}


async def examined(root: Path, agent: JsonObject, **case: Any) -> Attempt:
    kind = next(iter(agent))
    config = Config(agents={"shop": AgentConfig(kind=kind, fields=agent)})
    resources = RunResources(Project(root=root, config=config), RunSettings(agent="shop"))
    try:
        return await Examination(resources, lambda _: None).attempt(Job(case=case_of(**case), index=1))
    finally:
        await resources.close()


def seen(attempt: Attempt) -> list[tuple[str, Any, str | None]]:
    assert attempt.transcript is not None
    return [(one.name, one.result, one.error) for turn in attempt.transcript.turns for one in turn.reply.calls]


async def test_a_function_of_a_model_endpoint_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(write_files(tmp_path, {"tools.py": CODE}))
    async with OpenAiServer(Reply("", [("refund", {"order": 7})]), Reply("It was refused.")) as server:
        agent = {"openai": f"{server.url}/v1?model=m1", "tools": ["tools.py:refund"]}
        attempt = await examined(tmp_path, agent, input="refund 7", mocks=[REFUSED])
    assert attempt.status is Status.PASSED, attempt.error
    assert seen(attempt) == [("refund", {"status": "refused"}, None)]
    assert '"status":"refused"' in str(server.bodies[1]["messages"][-1]["content"]).replace(" ", "")
    assert not (tmp_path / "really-refunded").exists()


async def test_an_error_of_a_mock_reaches_the_model_behind_an_endpoint(tmp_path: Path):
    write_files(tmp_path, {"tools.py": CODE})
    async with OpenAiServer(Reply("", [("refund", {"order": 7})]), Reply("Sorry.")) as server:
        agent = {"openai": f"{server.url}/v1?model=m1", "tools": ["tools.py:refund"]}
        mock = {"name": "refund", "error": "the till is closed"}
        attempt = await examined(tmp_path, agent, input="refund 7", mocks=[mock])
    assert [(name, error) for name, _, error in seen(attempt)] == [("refund", "the till is closed")]
    assert "the till is closed" in server.bodies[1]["messages"][-1]["content"]


async def test_a_mock_answers_in_place_of_a_front_ends_stub(tmp_path: Path):
    first, second = run(*call("c1", "refund", '{"order": 7}')), run(*text("It was refused."))
    async with serving(*replies_with(first, second)) as server:
        agent = {"agui": server.url, "tools": [{"name": "refund", "answer": {"status": "done"}}]}
        attempt = await examined(tmp_path, agent, input="refund 7", mocks=[REFUSED])
    assert attempt.status is Status.PASSED, attempt.error
    assert seen(attempt) == [("refund", {"status": "refused"}, None)]
    assert "refused" in str(server.bodies[-1]["messages"])


def test_a_mock_of_a_tool_that_the_endpoint_does_not_have_is_refused():
    from vivavoce.engine.plan.intervention_checks import refuse_interventions
    from vivavoce.model.agent_card import AgentCard
    from vivavoce.plugins.catalog import TARGETS
    from vivavoce.protocols import TargetSpec

    case: Case = case_of(input="refund 7", mocks=[{"name": "refnd", "answer": 1}])
    spec = TargetSpec(id="shop", kind="openai", config={})
    with pytest.raises(UsageError, match="has no tool 'refnd'"):
        refuse_interventions(case, (), spec, TARGETS.load("openai"), AgentCard(id="shop", kind="openai"))
