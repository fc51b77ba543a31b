"""What a run rejects before its first call."""

import gc
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import write_files

import vivavoce
from vivavoce.engine.attempt.identity import RunContext
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, CallOptions, Case, ConversationRules, Origin, ScriptedTurn
from vivavoce.project.project import Project
from vivavoce.project.run_defaults import RunDefaults
from vivavoce.project.settings import AgentConfig, Config, ConnectorConfig

HI = (ScriptedTurn(content="hi"),)
FUNCTION = AgentConfig(kind="python", fields={"python": "agent.py:reply"})


def app_at(url: str, **fields: Any) -> AgentConfig:
    return AgentConfig(kind="agui", fields={"agui": url, **fields})


def case(number: int = 1, **fields: Any) -> Case:
    return Case(id=f"T{number}", origin=Origin("c.jsonl", number), **{"turns": HI, **fields})


def problems(
    root: Path,
    *cases: Case,
    config: Config | None = None,
    follow: bool = False,
    thorough: bool = False,
    one_by_one: bool = False,
    **settings: Any,
) -> list[str]:
    (root / "agent.py").write_text("def reply(messages): return 'ok'\n")
    config = config or Config(agents={"e": FUNCTION})
    project = Project(root=root, config=config, config_path=root / "viva.yaml")
    resources = RunResources(project, RunSettings(**{"agent": "e", **settings}))
    check = CaseChecks(resources, thorough=thorough, variables_follow=follow, one_by_one=one_by_one)
    found: list[str] = []
    for one in cases:
        try:
            check(one)
        except UsageError as problem:
            found.append(str(problem))
    return found


def test_an_unknown_agent_of_the_flag_is_told_once_and_at_the_flag(tmp_path: Path):
    (told,) = problems(tmp_path, case(1), case(2), case(3), agent="ee")
    assert told.startswith("-n: unknown agent 'ee'")


def test_an_undefined_variable_of_seed_001_s_target_is_told_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    target = "# the app\ntarget:\n  endpoint: http://127.0.0.1:1/agui\n  headers: {A: '${ENV.NO_SUCH_TOKEN}'}\n"
    write_files(tmp_path, {"aguitest.config.yaml": target, "a.viva.yaml": "turns: [{user: hi}]\n"})
    with pytest.raises(UsageError) as error:
        vivavoce.run("a.viva.yaml")
    assert str(error.value).startswith(
        "aguitest.config.yaml:2: agent 'target': undefined variable ${ENV.NO_SUCH_TOKEN}"
    )


def test_an_unknown_agent_of_a_case_is_told_at_each(tmp_path: Path):
    told = problems(tmp_path, case(1, agent="x1"), case(2, agent="x2"), agent=None)
    assert [line.partition(": ")[0] for line in told] == ["c.jsonl:1", "c.jsonl:2"]


def test_a_case_that_goes_another_way_than_those_before_it_is_looked_at(tmp_path: Path):
    other_file = Case(id="T3", origin=Origin("d.jsonl", 1), turns=HI, agent="x")
    (told,) = problems(tmp_path, case(1, agent="e"), case(2, agent="e"), other_file, agent=None)
    assert told.startswith("d.jsonl:1: unknown agent 'x'")
    (told,) = problems(tmp_path, case(1, agent="e"), case(2, agent="x"), case(3, agent="e"), agent=None)
    assert told.startswith("c.jsonl:2: unknown agent 'x'")


def test_an_unknown_agent_of_the_configuration_is_told_once_and_there(tmp_path: Path):
    (told,) = problems(tmp_path, case(1), case(2), agent=None, config=Config(agent="nobody"))
    assert "viva.yaml: unknown agent 'nobody'" in told


def test_that_nobody_is_examined_is_told_once(tmp_path: Path):
    (told,) = problems(tmp_path, case(1), case(2), case(3), agent=None, config=Config())
    assert told.startswith("c.jsonl:1: no agent to examine (give -n AGENT")


def test_rows_without_an_agent_are_not_kept_in_memory(tmp_path: Path):
    gc.collect()
    gc.disable()  # as the command has it
    try:
        problems(tmp_path, *(case(number) for number in range(50)), config=Config(), agent=None)
        kept = [each for each in gc.get_objects() if isinstance(each, UsageError)]
    finally:
        gc.enable()
    assert len(kept) < 10


def test_a_bare_web_address_is_told_how_to_become_an_agent(tmp_path: Path):
    (told,) = problems(tmp_path, case(), agent="http://x")
    assert all(known in told for known in ("agui:http://x", "openai:http://x?model=", "`http: {url: http://x"))


@pytest.mark.parametrize(
    "address", ["agui:notaurl", "agui:http://localhost:99999/", "agui:http://", "openai:foo", "openai:ftp://x/v1"]
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, address: str):
    (told,) = problems(tmp_path, case(1), case(2), agent=address)
    assert told.startswith("-n: ")
    assert "not an address" in told


@pytest.mark.parametrize("address", ["agui:http://localhost:8000/", "openai:https://[::1]:80/v1?model=m", "agui:${X}"])
def test_an_address_that_may_be_one_is_left_alone(tmp_path: Path, address: str):
    assert problems(tmp_path, case(), agent=address, follow=True) == []


def test_an_address_made_of_known_variables_is_looked_at(tmp_path: Path):
    config = Config(agents={"app": app_at("${HOST}/agent")}, variables={"HOST": "localhost"})
    (told,) = problems(tmp_path, case(), agent="app", config=config)
    assert "not an address: '${HOST}/agent'" in told
    assert problems(tmp_path, case(before="x"), agent="app", config=config)[0].startswith("c.jsonl:1: script ")


def test_hooks_may_define_a_variable_but_not_the_environment(tmp_path: Path):
    later = Config(agents={"app": app_at("http://x/${PLACE}")})
    assert problems(tmp_path, case(), agent="app", config=later, follow=True) == []
    never = Config(
        agents={
            "app": AgentConfig(
                kind="agui", fields={"agui": "http://x", "headers": {"Authorization": "${ENV.NO_SUCH_TOKEN}"}}
            )
        }
    )
    (told,) = problems(tmp_path, case(), agent="app", config=never, follow=True)
    assert "undefined variable ${ENV.NO_SUCH_TOKEN}" in told


def test_a_connector_that_does_not_exist_is_refused_whatever_the_agent(tmp_path: Path):
    (told,) = problems(tmp_path, case(1), case(2), connector="nosuch")
    assert told.startswith("-c: unknown connector 'nosuch'")


def test_a_connector_that_exists_or_belongs_to_the_server_is_fine(tmp_path: Path):
    offline = {"m": ConnectorConfig(type="openai", options={"model": "x", "key": "k"})}
    config = Config(agents={"e": FUNCTION}, connectors=offline)
    assert problems(tmp_path, case(), config=config, connector="m") == []
    assert problems(tmp_path, case(), agent="openai:http://x/v1?model=m", connector="theirs") == []
    assert problems(tmp_path, case(options=CallOptions(connector="its.own"))) == []


def test_a_simulator_that_nobody_uses_must_exist_all_the_same(tmp_path: Path):
    (told,) = problems(tmp_path, case(1), case(2), simulator="nosuch")
    assert told.startswith("--simulator: unknown agent 'nosuch'")
    assert problems(tmp_path, case(), simulator="scripts:nosuch")[0].startswith("--simulator: ")
    assert problems(tmp_path, case(), simulator="agents:e") == []
    config = Config(
        agents={"e": FUNCTION},
        run=RunDefaults(simulator="nosuch"),
    )
    assert problems(tmp_path, case(), config=config, simulator="nosuch")[0].startswith("run.simulator: ")


def test_a_case_without_input_needs_a_simulator_of_its_own_or_of_the_run(tmp_path: Path):
    (told,) = problems(tmp_path, case(turns=()))
    assert told.startswith("c.jsonl:1: no input: nobody says anything (give 'input'")
    assert problems(tmp_path, case(turns=()), simulator="e") == []
    assert problems(tmp_path, case(turns=(), rules=ConversationRules(single_turn=True)), simulator="e") != []


def attached(name: str, **more: Any) -> Case:
    return case(
        turns=(ScriptedTurn(content="see", attachments=({"type": "file", "source": f"file://{name}"},)),), **more
    )


def test_an_attachment_that_cannot_be_had_is_told_by_a_thorough_check(tmp_path: Path):
    (missing,) = problems(tmp_path, attached("gone.txt"), thorough=True)
    assert "c.jsonl:1: attachment of case 'T1': no such file" in missing
    (outside,) = problems(tmp_path, attached("/etc/hostname"), thorough=True)
    assert "lies outside the project" in outside
    assert problems(tmp_path, attached("gone.txt")) == []


async def test_a_case_without_a_word_of_its_own_is_opened_by_the_simulator_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.jsonl").write_text(
        '{"id": "T1", "max_turns": 1, "assert": {"type": "contains", "value": "hello"}}\n'
    )
    (tmp_path / "them.py").write_text(
        "def user(messages): return {'input': 'hello', 'goal_achieved': True}\ndef reply(text): return text\n"
    )
    names = "agents: {a: {python: them.py:reply}, user: {python: them.py:user}}\nagent: a\n"
    (tmp_path / "viva.yaml").write_text(names)
    with pytest.raises(UsageError, match="no input"):
        await vivavoce.arun("cases.jsonl")
    assert (await vivavoce.arun("cases.jsonl", simulator="user")).passed
    (tmp_path / "viva.yaml").write_text(names + "run: {simulator: user}\n")
    assert (await vivavoce.arun("cases.jsonl")).passed


# ── packages ────────────────────────────────────────────────────────────────────────


def package_at(root: Path, prompt: str = "be kind", **files: str) -> Config:
    written = {
        "connectors/c.conn.yao": '{"type": "scripted", "options": {"rules": [{"say": "ok"}]}}',
        "assistants/k/package.yao": '{"name": "K", "connector": "c"}',
        "assistants/k/prompts.yml": f"- role: system\n  content: {prompt}\n",
        **{f"assistants/k/src/{name.replace('__', '.')}": text for name, text in files.items()},
    }
    write_files(root, written)
    return Config()


def test_a_name_in_a_prompt_that_nothing_fills_is_a_problem_and_told_once(tmp_path: Path):
    config = package_at(tmp_path, "you are {{ persona }}, $CTX.MOOD")
    given = CallOptions(metadata={"persona": "x", "mood": "y"})
    told = problems(tmp_path, case(1), case(2), case(3, options=given), config=config, agent="k")
    assert len(told) == 1
    assert "{{ persona }}" in told[0]
    assert "$CTX.MOOD" in told[0]


def test_metadata_of_the_run_fills_prompts_too(tmp_path: Path):
    config = package_at(tmp_path, "you are {{ persona }}")
    context = RunContext(metadata={"persona": "x"})
    assert problems(tmp_path, case(1), config=config, agent="k", context=context) == []


def test_hooks_of_a_package_may_bring_what_its_prompts_want(tmp_path: Path):
    config = package_at(tmp_path, "you are {{ persona }}", index__py="def Create(ctx, messages): ...\n")
    assert problems(tmp_path, case(1), config=config, agent="k") == []


def test_hooks_around_a_case_are_looked_for_in_the_agents_package_first(tmp_path: Path):
    config = package_at(tmp_path, env_test__py="def Before(case): ...\n")
    assert problems(tmp_path, case(1, before="env_test.Before"), config=config, agent="k") == []
    (told,) = problems(tmp_path, case(1, before="env_test.Bfore"), config=config, agent="k")
    assert told.startswith("c.jsonl:1: ")
    assert "did you mean 'Before'?" in told


def test_a_hook_around_a_case_that_is_typescript_is_told_at_the_case(tmp_path: Path):
    config = package_at(tmp_path, env_test__ts="export function Before() {}")
    (told,) = problems(tmp_path, case(2, after="env_test.After"), config=config, agent="k")
    assert told.startswith("c.jsonl:2: script 'env_test.After': assistants/k/src/env_test.ts is not Python")


def test_one_by_one_every_case_is_told_its_problem(tmp_path: Path):
    config = package_at(tmp_path, "you are {{ persona }}")
    told = problems(tmp_path, case(1), case(2), config=config, agent="k", one_by_one=True)
    assert len(told) == 2


def test_a_javascript_file_that_is_not_there_is_refused_unless_a_hook_may_make_it(tmp_path: Path):
    (tmp_path / "there.js").write_text("module.exports = () => true")
    at = Origin(str(tmp_path / "c.jsonl"), 1)
    cases = [
        Case(id=name, origin=at, turns=HI, assertions=(AssertionSpec(type="javascript", fields={"value": value}),))
        for name, value in (("A", "file://there.js:check"), ("B", "output === 'x'"), ("C", "file://nope.js"))
    ]
    (told,) = problems(tmp_path, *cases)
    assert told == f"{at}: file://nope.js is not there (the path starts at the folder of the case file)"
    assert problems(tmp_path, *cases, follow=True) == []


def test_what_a_skipped_case_names_need_not_exist(tmp_path: Path):
    judged = AssertionSpec(type="agent", fields={"value": "polite"})
    later = case(1, skip="later", agent="nobody", before="nowhere", assertions=(judged,))
    assert problems(tmp_path, later, agent=None) == []


def test_the_shipped_judge_says_that_it_needs_a_model(tmp_path: Path):
    judged = AssertionSpec(type="agent", fields={"value": "polite"})
    (told,) = problems(tmp_path, case(1, assertions=(judged,)))
    assert told.startswith("c.jsonl:1: the judge of this check needs a model (declare it under `connectors:`")


def test_too_few_runs_are_told_before_anything_runs(tmp_path: Path):
    (told,) = problems(tmp_path, case(1, min_pass=2), case(2, min_pass=1), case(3, min_pass=2, runs=2))
    assert told == "c.jsonl:1: min_pass: 2 of only 1 run cannot pass (write `runs: 2` or more beside it, or use --runs)"


SAYS_A_VARIABLE = case(turns=(ScriptedTurn(content="Order ${NUMBER}"),))


def test_a_thorough_check_reports_variables_that_nobody_defines(tmp_path: Path):
    (told,) = problems(tmp_path, SAYS_A_VARIABLE, thorough=True)
    assert told.startswith("c.jsonl:1: undefined variable ${NUMBER}")
    assert problems(tmp_path, SAYS_A_VARIABLE) == []


def test_a_variable_that_a_hook_or_the_configuration_defines_is_in_order(tmp_path: Path):
    assert problems(tmp_path, SAYS_A_VARIABLE, thorough=True, follow=True) == []
    config = Config(agents={"e": FUNCTION}, variables={"NUMBER": "A-17"})
    assert problems(tmp_path, SAYS_A_VARIABLE, thorough=True, config=config) == []


def test_the_folder_of_a_workspace_is_a_variable_of_its_case(tmp_path: Path):
    (tmp_path / "shop").mkdir()
    says = (ScriptedTurn(content="look into ${WORKSPACE}"),)
    there = Case(id="T", origin=Origin(str(tmp_path / "c.jsonl"), 1), turns=says, workspace="shop")
    assert problems(tmp_path, there, thorough=True) == []
