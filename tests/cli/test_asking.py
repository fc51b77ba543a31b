"""What a newcomer types, and what viva makes of it."""

import pytest
from tests.cli.conftest import VivaProject

SAYS_ECHO = {"assert": {"type": "contains", "value": "echo"}}


def test_sources_can_be_named_without_a_flag(project: VivaProject):
    project.cases({"id": "A", "input": "hello", **SAYS_ECHO}, name="tests/a.jsonl")
    project.cases({"id": "B", "input": "hello", **SAYS_ECHO}, name="b.jsonl")
    listed = project.viva("list", "tests/", "b.jsonl")
    assert listed.out.splitlines() == ["tests/a.jsonl::A", "b.jsonl::B", "2 of 2 cases selected"]
    done = project.viva("test", "tests/", "-i", "b.jsonl", "-o", "out.jsonl")
    assert (done.code, project.statuses()) == (0, {"A": "passed", "B": "passed"})
    assert "2 cases in 2 sources" in project.viva("validate", "b.jsonl", "tests/a.jsonl").out


def two_packages(project: VivaProject, root: str) -> None:
    for name in ("expense", "keyword"):
        project.write(f"{root}assistants/{name}/package.yao", '{"name": "x", "connector": "offline"}')
        project.write(f"{root}assistants/{name}/prompts.yml", "- {role: system, content: be brief}\n")
        project.cases({"id": "A", "input": "hello", "assert": []}, name=f"{root}assistants/{name}/tests/a.jsonl")


def test_a_package_elsewhere_is_tested_in_its_own_project(project: VivaProject):
    (project.root / "viva.yaml").unlink()
    (project.root / "elsewhere").mkdir()
    two_packages(project, "app/")
    path = str(project.root / "app/assistants/expense/tests/a.jsonl")
    project.write("app/viva.yaml", "connectors: {offline: {type: scripted, options: {rules: [], otherwise: hi}}}\n")
    assert "Agent: expense (connector: offline)" in project.viva("test", "-i", path, below="elsewhere").out
    assert "all in order" in project.viva("validate", f"{path}::A", below="elsewhere").out
    (project.root / "app/viva.yaml").unlink()
    project.write(
        "app/connectors/offline.conn.yao", '{"type": "scripted", "options": {"rules": [], "otherwise": "hi"}}'
    )
    assert project.viva("test", f"{project.root}/app/assistants/*/tests/*.jsonl", below="elsewhere").code == 0


def test_a_path_with_dots_gives_the_agent_its_own_name(project: VivaProject):
    two_packages(project, "")
    project.write("viva.yaml", "connectors: {offline: {type: scripted, options: {rules: [], otherwise: hi}}}\n")
    done = project.viva("test", "-i", "../keyword/tests/a.jsonl", below="assistants/expense")
    assert "Agent: keyword (connector" in done.out


def test_a_report_that_cannot_be_written_is_exit_3_before_anything_runs(project: VivaProject):
    project.cases({"id": "A", "input": "hello", **SAYS_ECHO})
    for output in ("agent.py/out.json", "agent.py/out.jsonl"):
        done = project.viva("test", "cases.jsonl", "-o", output)
        assert (done.code, done.out) == (3, "")
        assert f"-o: cannot write {output}: " in done.err
    assert project.viva("test", "cases.jsonl", "-o", "out.jsonl").code == 0
    assert project.viva("report", "out.jsonl", "-o", "agent.py/out.json").code == 3


@pytest.mark.parametrize(
    ("name", "hint"),
    [("agent.py:echo", "python:agent.py:echo"), ("shop.app:run", "python:shop.app:run"), ("a.py", "python:a.py:FUNC")],
)
def test_a_python_function_without_its_prefix_is_hinted_at(project: VivaProject, name: str, hint: str):
    project.cases({"id": "A", "input": "hello"})
    done = project.viva("test", "cases.jsonl", "-n", name)
    assert done.code == 2
    assert f"unknown agent '{name}' (did you mean {hint}" in done.err


def test_an_unknown_report_lists_those_that_are_built_in(project: VivaProject):
    project.cases({"id": "A", "input": "hello"})
    done = project.viva("test", "cases.jsonl", "-r", "report.nosuch")
    assert done.code == 2
    assert "formats: report.json, report.markdown, report.html, report.xml, report.agent, report.summary" in done.err


def test_a_bad_variable_is_named(project: VivaProject):
    done = project.viva("test", "cases.jsonl", VIVA_PARALLEL="many")
    assert done.code == 2
    assert "'many' is not a whole number; the value comes from VIVA_PARALLEL (viva test --help" in done.err
    typed = project.viva("test", "cases.jsonl", "-j", "many").err
    said = "Invalid value for '-j' / '--parallel': 'many' is not a whole number"
    assert typed == f"viva: {said} (viva test --help shows the flags)\n"


def test_a_number_out_of_its_range_is_told_in_words(project: VivaProject):
    assert ": 0 is too small: at least 1 (viva test" in project.viva("test", "cases.jsonl", "--runs", "0").err
    assert ": 99999 is not between 0 and 65535 (viva view" in project.viva("view", "--port", "99999").err


def test_the_shell_completes_the_agents_of_the_project(project: VivaProject):
    done = project.viva(_VIVA_COMPLETE="bash_complete", COMP_WORDS="viva test -n e", COMP_CWORD="3")
    assert done.out == "plain,echo\n"


def test_inputs_behind_resume_are_told_apart_from_its_file(project: VivaProject):
    project.cases({"id": "A", "input": "hello"}, name="tests/a.jsonl")
    done = project.viva("test", "--resume", "tests")
    assert (done.code, "put inputs before it" in done.err) == (2, True)
