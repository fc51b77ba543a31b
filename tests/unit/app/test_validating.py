"""Everything that can be found wrong without calling an agent, each problem once."""

from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.app.opening import open_project
from vivavoce.app.request import RunRequest
from vivavoce.app.validating import Checked, checked
from vivavoce.engine.plan.plan import Selection

AGENT = "agents:\n  a: {python: 'agent.py:reply'}\nagent: a\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "open('called', 'w').close()\n\ndef reply(text):\n    return text\n"
    write_files(tmp_path, {"viva.yaml": AGENT, "agent.py": code, "c.jsonl": '{"id": "T", "input": "hi"}\n'})


async def check(config: str = AGENT, **options: object) -> Checked:
    Path("viva.yaml").write_text(config)
    request = RunRequest.of({"inputs": ("c.jsonl",), **options}, {})
    return await checked(open_project(None), request, Selection())


def problems(found: Checked) -> list[str]:
    return [f"{problem.at}: {problem.what}" for problem in found.problems]


async def test_cases_that_are_in_order():
    found = await check()
    assert (found.problems, found.sources) == ([], 1)
    assert found.plan is not None
    assert found.plan.selected == 1


async def test_the_configuration_the_agents_and_the_cases_are_told_together():
    Path("c.jsonl").write_text('{"id": "T", "inptu": "hi"}\n')
    found = await check(f"{AGENT}run: {{timeout: 5x}}\n".replace("agent.py:reply", "agent.py:nobody"))
    places = [line.partition(": ")[0] for line in problems(found)]
    assert places == ["viva.yaml:4", "viva.yaml:2", "c.jsonl:1"]


async def test_what_is_wrong_with_an_agent_is_told_once_though_every_case_needs_it():
    Path("c.jsonl").write_text("".join(f'{{"id": "T{n}", "input": "hi"}}\n' for n in range(3)))
    found = await check(AGENT.replace("agent.py:reply", "agent.py:nobody"))
    assert len(found.problems) == 1


async def test_a_field_of_an_agent_is_told_once_with_its_line():
    found = await check("agents:\n  c: {cmd: [nosuchcmd, x]}\nagent: c\n")
    assert problems(found) == ["viva.yaml:2: agent 'c': no such program: nosuchcmd"]


async def test_the_agent_that_n_names_is_checked_too():
    [line] = problems(await check(agent="python:nowhere.py:reply"))
    assert line.startswith("-n: ")


async def test_sources_that_cannot_be_read_are_a_problem_beside_the_others():
    Path("viva.yaml").write_text(AGENT)
    found = await check(AGENT.replace("agent.py:reply", "agent.py:nobody"), inputs=("nowhere.jsonl",))
    assert found.plan is None
    assert len(found.problems) == 2


async def test_a_variable_that_nobody_defines_is_found_unless_a_hook_of_the_run_may():
    write_files(Path(), {"c.jsonl": '{"id": "T", "input": "order ${NUMBER}"}\n', "hook.py": "def begin(): return {}\n"})
    assert problems(await check()) == ["c.jsonl:1: undefined variable ${NUMBER}"]
    assert problems(await check(f"{AGENT}run: {{before: 'hook:begin'}}\n")) == []
