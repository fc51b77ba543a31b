"""Generators are called before the plan is made."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.engine.plan.generating import fill_generated
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import CallFailed, ManyProblems, UsageError
from vivavoce.model.case import Case
from vivavoce.project.project import Project
from vivavoce.project.settings import AgentConfig, Config
from vivavoce.protocols import AgentCard, CallContext, Session, Source, Target, ToolSpec
from vivavoce.sources.generated import GeneratedSource
from vivavoce.sources.input_ref import InputRef

GOOD = {"id": "A", "input": "hi"}
AGENTS = Config(agents={"e": AgentConfig(kind="python", fields={"python": "agent.py:reply"})})


async def generated(root: Path, answer: Any, *, strict: bool = False, config: Config = AGENTS, **params: Any):
    """The cases that a generator script answers with."""
    script = f"def cases(request): return {answer!r}\n" if not isinstance(answer, str) else answer
    write_files(root, {"agent.py": "def reply(text): return 'ok'\n", "scripts/gen.py": script})
    resources = RunResources(Project(root=root, config=config), RunSettings(agent="e"))
    source = GeneratedSource(InputRef(type="script", value="gen.cases", params=params))
    sources: list[Source] = [source]
    try:
        await fill_generated(sources, resources, strict=strict)
    finally:
        await resources.close()
    return [case for case in source.read() if isinstance(case, Case)]


@pytest.mark.parametrize("answer", [[GOOD], {"cases": [GOOD]}, {"test_cases": [GOOD]}, GOOD])
async def test_cases_are_read_however_they_are_wrapped(tmp_path: Path, answer: Any):
    assert [case.id for case in await generated(tmp_path, answer)] == ["A"]


async def test_the_generator_is_told_of_the_agent_and_what_is_asked_for(tmp_path: Path):
    script = (
        "import json\n"
        "def cases(request):\n"
        "    asked = json.loads(request) if isinstance(request, str) else request\n"
        "    open('asked.json', 'w').write(json.dumps(asked))\n"
        f"    return {[GOOD]!r}\n"
    )
    await generated(tmp_path, script.replace("'asked.json'", repr(str(tmp_path / "asked.json"))), count=1)
    told = (tmp_path / "asked.json").read_text()
    assert "target_agent" in told
    assert json.loads(told) is not None


class Answers:
    """An agent that lists its tools, or cannot."""

    def __init__(self, listed: tuple[ToolSpec, ...] | None) -> None:
        self.card = AgentCard(id="e", kind="python", tools=(ToolSpec(name="declared"),))
        self._listed = listed

    async def list_tools(self) -> tuple[ToolSpec, ...]:
        if self._listed is None:
            raise CallFailed("the server is down", fault="target")
        return self._listed

    async def open(self, context: CallContext) -> Session:
        raise AssertionError(context)

    async def close(self) -> None: ...


@pytest.mark.parametrize(
    ("listed", "told", "warned"),
    [
        ((ToolSpec(name="pay", parameters={"type": "object"}),), [("pay", {"type": "object"})], False),
        (None, [("declared", None)], True),
    ],
)
async def test_the_generator_is_told_of_every_tool_that_the_agent_lists(
    listed: tuple[ToolSpec, ...] | None,
    told: list[Any],
    warned: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    of_any_name = RunResources.target

    def target(resources: RunResources, name: str) -> Target:
        return Answers(listed) if name == "e" else of_any_name(resources, name)

    monkeypatch.setattr(RunResources, "target", target)
    out = str(tmp_path / "asked.json")
    script = f"import json\ndef cases(request):\n    json.dump(request, open({out!r}, 'w'))\n    return {[GOOD]!r}\n"
    await generated(tmp_path, script, count=1)
    asked = json.loads((tmp_path / "asked.json").read_text())
    assert [(tool["name"], tool.get("parameters") or None) for tool in asked["target_tools"]] == told
    assert ("not told of all tools of e: the server is down" in capsys.readouterr().err) is warned


async def test_a_bad_case_is_left_out_with_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert [case.id for case in await generated(tmp_path, [GOOD, {"id": "B", "inptu": "x"}])] == ["A"]
    assert "scripts:gen.cases:2: unknown field 'inptu'" in capsys.readouterr().err


async def test_a_bad_case_ends_a_strict_run(tmp_path: Path):
    with pytest.raises(ManyProblems, match="inptu"):
        await generated(tmp_path, [GOOD, {"id": "B", "inptu": "x"}], strict=True)


async def test_fewer_cases_than_asked_for_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    await generated(tmp_path, [GOOD], count=3)
    assert "asked for 3 cases and made 1" in capsys.readouterr().err


async def test_a_case_for_an_agent_that_does_not_exist_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    judged = {"id": "B", "input": "x", "assert": {"type": "agent", "use": "agents:nobody", "value": "kind"}}
    assert [case.id for case in await generated(tmp_path, [GOOD, judged])] == ["A"]
    assert "nobody" in capsys.readouterr().err


async def test_a_generator_that_raises_is_named(tmp_path: Path):
    with pytest.raises(CallFailed, match=r"generator scripts:gen\.cases failed: .*no ideas"):
        await generated(tmp_path, "def cases(request): raise ValueError('no ideas')\n")


async def test_an_answer_without_cases_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError, match="made nothing"):
        await generated(tmp_path, [])


async def test_an_agent_whose_prompts_want_metadata_can_still_be_the_target(tmp_path: Path):
    write_files(
        tmp_path,
        {
            "connectors/c.conn.yao": '{"type": "scripted", "options": {"rules": [{"say": "ok"}]}}',
            "assistants/e/package.yao": '{"name": "E", "connector": "c"}',
            "assistants/e/prompts.yml": "- role: system\n  content: You are {{ persona }}\n",
        },
    )
    given = {**GOOD, "options": {"metadata": {"persona": "x"}}}
    assert [case.id for case in await generated(tmp_path, [given], config=Config())] == ["A"]
