"""Which tools the agents of recorded runs have, and what is said where they cannot be listed."""

from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.app.agent_tools import DECLARE, ToolList, tools_of_agents
from vivavoce.app.opening import open_project
from vivavoce.cli.commands.init import write_project
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError
from vivavoce.model.result import RunInfo


async def listed(root: Path, config: str, *agents: str) -> ToolList:
    write_files(root, {"viva.yaml": config})
    resources = RunResources(open_project(str(root / "viva.yaml")), RunSettings())
    try:
        return await tools_of_agents(
            resources, [RunInfo(run_id="r", started_at="", agent_id=agent) for agent in agents]
        )
    finally:
        await resources.close()


async def test_tools_are_declared_by_name_by_schema_and_in_the_form_of_openai(tmp_path: Path):
    config = """
coverage:
  tools:
  - pay
  - {name: ship, parameters: {type: object}}
  - {type: function, function: {name: refund, parameters: {type: object, required: [id]}}}
"""
    found = await listed(tmp_path, config, "nobody")
    assert [(tool.name, tool.parameters) for tool in found.tools] == [
        ("pay", {}),
        ("ship", {"type": "object"}),
        ("refund", {"type": "object", "required": ["id"]}),
    ]
    assert found.notes == ()


@pytest.mark.parametrize("entry", ["{parameters: {}}", "{function: nonsense}", "{name: ''}", "{name: 7}"])
async def test_a_declared_tool_without_a_name_is_refused_with_its_number(tmp_path: Path, entry: str):
    with pytest.raises(UsageError, match=r"coverage\.tools: entry 2 needs a name"):
        await listed(tmp_path, f"coverage:\n  tools:\n  - pay\n  - {entry}\n")


async def test_no_declared_tool_at_all_is_a_declaration_too(tmp_path: Path):
    config = "coverage: {tools: []}\nagents: {a: {python: 'agent.py:reply'}}\n"
    assert await listed(tmp_path, config, "a") == ToolList()


async def test_an_agent_that_lists_none_is_a_note_and_is_asked_once(tmp_path: Path):
    write_files(tmp_path, {"agent.py": "def reply(text):\n    return text\n"})
    found = await listed(tmp_path, f"agents: {{a: {{python: '{tmp_path}/agent.py:reply'}}}}\n", "a", "a")
    assert found == ToolList((), (f"a does not list its tools: counted are those seen; {DECLARE}",))


async def test_an_agent_that_is_gone_is_a_note_with_the_reason(tmp_path: Path):
    found = await listed(tmp_path, "agents: {}\n", "gone")
    [note] = found.notes
    assert note.startswith("the tools of gone could not be listed (")
    assert DECLARE in note


async def test_an_agent_that_lists_its_tools_is_asked(tmp_path: Path):
    write_project(tmp_path, "expense")
    found = await listed(tmp_path, (tmp_path / "viva.yaml").read_text(), "expense")
    assert ([tool.name for tool in found.tools], found.notes) == (["get_policy", "create_expense"], ())
