"""Simulators, judges, generators and reporters that cannot work are found before anything runs."""

import json

import pytest
from tests.cli.conftest import VivaProject

JUDGE = {"type": "agent", "value": "is polite"}


@pytest.fixture
def helped(project: VivaProject) -> VivaProject:
    project.write("connectors/nokey.conn.yao", json.dumps({"type": "openai", "options": {"key": "$ENV.VIVA_NO_SUCH"}}))
    return project


@pytest.mark.parametrize("command", ["test", "validate"])
@pytest.mark.parametrize(
    "fields",
    [
        {"assert": JUDGE},
        {"final_assertions": [JUDGE], "turns": [{"input": "hi there", "assertions": [JUDGE]}]},
        {"simulator": {"use": "viva.simulator"}},
        {"assert": {**JUDGE, "options": {"connector": "unheard.of"}}},
        {"assert": {**JUDGE, "options": {"connector": "nokey"}}},
    ],
    ids=["judge without connector", "judge of a turn", "simulator", "unknown connector", "missing variable"],
)
def test_a_helper_that_cannot_work_is_exit_2(helped: VivaProject, fields: dict[str, object], command: str):
    case = {"id": "one", **({} if "turns" in fields else {"input": "hi there"}), **fields}
    helped.cases(case)
    done = helped.viva(command, "-i", "cases.jsonl")
    assert done.code == 2, done.text
    assert "connector" in done.err
    assert "echo: " not in done.out


@pytest.mark.parametrize(
    "flags",
    [
        ["-i", "agents:viva.generator"],
        ["-i", "cases.jsonl", "--simulator", "viva.simulator"],
        ["-i", "cases.jsonl", "-r", "agents:viva.validator"],
    ],
)
def test_a_helper_named_by_a_flag_is_checked_too(helped: VivaProject, flags: list[str]):
    helped.cases({"id": "one", "input": "hi there"})
    done = helped.viva("test", *flags)
    assert done.code == 2, done.text
    assert "has no connector" in done.err
    assert "`run.connector` in viva.yaml" in done.err


def test_an_undefined_variable_in_package_yao_is_exit_2(helped: VivaProject):
    helped.write("assistants/shop/package.yao", json.dumps({"name": "Shop", "connector": "$ENV.VIVA_NO_SUCH"}))
    helped.cases({"id": "one", "input": "hi there"})
    done = helped.viva("test", "-i", "cases.jsonl", "-n", "shop")
    assert done.code == 2, done.text
    assert "undefined variable $ENV.VIVA_NO_SUCH" in done.err
    assert "package.yao" in done.err


@pytest.mark.parametrize("command", ["test", "validate"])
@pytest.mark.parametrize(
    "agent", ["agui: http://127.0.0.1:9/x", "openai: http://127.0.0.1:9/v1, model: m"], ids=["agui", "openai"]
)
def test_a_stub_with_a_misspelt_key_is_refused_with_its_line(project: VivaProject, agent: str, command: str):
    stub = "{name: pick, answers: [{wehn: {x: '1'}, value: 3}]}"
    project.write("viva.yaml", f"agents:\n  app: {{{agent}, tools: [{stub}]}}\n")
    project.cases({"id": "one", "input": "hi there"})
    done = project.viva(command, "-i", "cases.jsonl", "-n", "app")
    assert done.code == 2, done.text
    assert "viva.yaml:2: " in done.err
    assert "unknown field `wehn` (did you mean 'when'?)" in done.err


@pytest.mark.parametrize("command", ["test", "validate", "list"])
def test_a_stub_that_all_agents_share_is_refused_with_its_line(project: VivaProject, command: str):
    stub = "{name: pick, answers: [{wehn: {x: '1'}, value: 3}]}"
    project.write("viva.yaml", f"agent: app\nagents:\n  app: {{agui: 'http://127.0.0.1:9/x'}}\ntools: [{stub}]\n")
    project.cases({"id": "one", "input": "hi there"})
    done = project.viva(command, "-i", "cases.jsonl")
    assert done.code == 2, done.text
    assert "viva.yaml:4: front-end tool 'pick': unknown field `wehn`" in done.err
