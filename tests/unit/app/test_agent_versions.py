"""What a run's head says of its agents."""

from pathlib import Path

from tests.fakes.surroundings import write_files
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.examine import examine
from vivavoce.model.result import AgentVersion, RunInfo

CASE = {"id": "A", "input": "hi"}


async def heads(request_for: MakeRequest, *cases: dict[str, str], **options: str) -> RunInfo:
    return (await examine(request_for(*cases, **options))).info


async def test_the_same_agent_has_the_same_version_until_its_code_changes(root: Path, request_for: MakeRequest):
    first = await heads(request_for, CASE)
    again = await heads(request_for, {**CASE, "id": "B"})
    (root / "agent.py").write_text("def reply(text):\n    return 'other'\n")
    changed = await heads(request_for, CASE)
    assert first.agents == again.agents
    assert first.agents["a"].configuration == changed.agents["a"].configuration
    assert first.agents["a"].source != changed.agents["a"].source


async def test_cases_of_another_agent_are_assigned_to_it(root: Path, request_for: MakeRequest):
    write_files(root, {"viva.yaml": "agent: a\nagents: {a: {python: agent.py:reply}, b: {python: agent.py:reply}}\n"})
    info = await heads(request_for, CASE, {"id": "B", "input": "ho", "agent": "b"})
    assert (info.agent_id, info.agent_of) == ("a", {"b": "b"})
    assert info.agent_for("b", "cases.jsonl") == "b"
    assert info.agent_for(None, "cases.jsonl") == "a"
    assert set(info.agents) == {"a", "b"}


async def test_code_outside_the_project_is_not_known(root: Path, request_for: MakeRequest):
    write_files(root, {"viva.yaml": "agents: {a: {cmd: [cat]}}\n"})
    info = await heads(request_for, CASE)
    assert info.agents["a"].source is None
    assert info.agents["a"].configuration


async def test_the_model_is_read_from_the_address(root: Path, request_for: MakeRequest):
    write_files(root, {"viva.yaml": "agents: {a: {openai: 'http://127.0.0.1:9/v1?model=small-1'}}\n"})
    info = await heads(request_for, CASE)
    assert info.models == ("small-1",)
    assert isinstance(info.agents["a"], AgentVersion)


async def test_the_title_is_kept(request_for: MakeRequest):
    assert (await heads(request_for, CASE, title="new prompt")).title == "new prompt"
