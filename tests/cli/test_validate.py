"""`viva validate` finds what is wrong with the configuration too, all at once, each with its line."""

import pytest
from tests.cli.conftest import VivaProject

AGENT = "agents:\n  echo: {python: agent.py:echo}\n"


def complaints(project: VivaProject, config: str, *flags: str) -> list[str]:
    project.cases({"id": "A", "input": "hello"})
    project.write("viva.yaml", AGENT + config)
    done = project.viva("validate", "-i", "cases.jsonl", *flags)
    assert done.code == 2, done.text
    *problems, count = done.err.splitlines()
    assert count.startswith(f"viva: {len(problems)} problem")
    return problems


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("run: {timeout: 5x}\n", "viva.yaml:3: run.timeout: "),
        ("run:\n  judge_timeout: 5x\n", "viva.yaml:4: run.judge_timeout: "),
        ("run: {budget: lots}\n", "viva.yaml:3: run.budget: bad budget 'lots'"),
        ("connectors: {a: {type: foo}}\n", "viva.yaml:3: connector 'a' has the unknown type 'foo'"),
        ("run: {connector: nope}\n", "viva.yaml:3: unknown connector 'nope'"),
        ("run: {simulator: nobody}\n", "viva.yaml:3: unknown agent 'nobody'"),
        ("tools: [{nme: x}]\n", "viva.yaml:3: front-end tool 1: needs a `name`"),
        ("  app: {agui: 'http://x/', tools: [{nme: x}]}\n", "viva.yaml:3: front-end tool 1: needs a `name`"),
        ("agent: zz\n", "viva.yaml:3: unknown agent 'zz'"),
        ("tests: nowhere\n", "viva.yaml:3: tests: there is no nowhere"),
        ("tests:\n- cases.jsonl\n- nowhere\n", "viva.yaml:5: tests: there is no nowhere"),
        ("  c: {cmd: [nosuchcmd, x]}\n", "viva.yaml:3: agent 'c': no such program: nosuchcmd"),
        ("  c: {cmd: ./missing.sh}\n", "viva.yaml:3: agent 'c': no such program: ./missing.sh"),
        ("  m: {mcp: {cmd: [nosuchcmd, x]}}\n", "viva.yaml:3: agent 'm': mcp.cmd: no such program: nosuchcmd"),
        (
            "  s:\n    agui: http://localhost:1/\n    serve:\n      ready: 1\n      cmd: nosuchcmd -x\n",
            "viva.yaml:7: agent 's': serve.cmd: no such program: nosuchcmd",
        ),
        ("awaiting: {patterns: ['(']}\n", "viva.yaml:3: awaiting.patterns[0]: "),
        ("connectors: {a: {type: openai, rate: fast}}\n", "viva.yaml:3: bad rate 'fast'"),
    ],
)
def test_a_mistake_in_the_configuration_is_found_with_its_line(project: VivaProject, config: str, said: str):
    problems = complaints(project, config)
    assert any(said in problem for problem in problems)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("  h:\n    http: {url: 'http://x/', body: '{{ mesage }}'}\n", "viva.yaml:4: http.body: unknown name 'mesage'"),
        *(
            (
                f"  h:\n    http: {{url: 'http://x/', body: '{{{{ message }}}}', reply: {path}}}\n",
                "viva.yaml:4: http.reply: ",
            )
            for path in ("answer..", "answer.", "a..b", "$.answer.", "'$.a['")
        ),
        ("  o:\n    openai: http://x/v1\n    tools: [{name: x, anser: 1}]\n", "viva.yaml:5: tool 'x': unknown field"),
    ],
)
def test_a_mistake_in_a_field_of_an_agent_is_told_once(project: VivaProject, config: str, said: str):
    (problem,) = complaints(project, config, "-n", "echo")
    assert said in problem


def test_everything_is_told_at_once_also_with_an_agent_named(project: VivaProject):
    config = "  c: {cmd: [nosuchcmd]}\nagent: zz\ntests: nowhere\nrun: {timeout: 5x, connector: nope}\n"
    problems = complaints(project, config, "-n", "cmd:othercmd -v")
    assert [problem.split(": ")[1] for problem in problems] == [f"viva.yaml:{n}" for n in (5, 4, 3, 6, 6)] + ["-n"]


def test_programs_that_are_there_are_found(project: VivaProject):
    project.write("bin/tool.sh", "#!/bin/sh\ncat\n").chmod(0o755)
    project.cases({"id": "A", "input": "hello"})
    project.write("viva.yaml", "agents:\n  a: {cmd: 'sh -c cat'}\n  b: {cmd: [./tool.sh], cwd: bin}\n")
    assert project.viva("validate", "cases.jsonl", "-n", "a").code == 0


def test_a_file_that_is_nearly_a_test_does_not_hide_the_problems_of_others(project: VivaProject):
    project.write("tests/nearly.yaml", "name: x\nturn:\n  - user: hi\n")
    project.write("tests/cases.jsonl", '{"id": "one", "inptu": "hi there"}\n')
    done = project.viva("validate", "-i", "tests")
    assert done.code == 2
    assert "nearly.yaml" in done.err
    assert "inptu" in done.err
    assert project.viva("test", "-i", "tests").code == 2


def test_counts_are_said_in_proper_words(project: VivaProject) -> None:
    project.cases({"id": "one", "input": "hi"})
    assert "1 case in 1 source: all in order" in project.viva("validate", "-i", "cases.jsonl").out
    project.cases({"id": "one", "input": "hi"}, {"id": "two", "input": "hi"})
    assert "2 cases in 1 source: all in order" in project.viva("validate", "-i", "cases.jsonl").out
    project.cases({"id": "one", "inptu": "hi"})
    assert "1 problem; nothing was run" in project.viva("test", "-i", "cases.jsonl").err


def test_a_run_that_cannot_begin_names_the_same_line_of_viva_yaml_as_validate(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    misspelt = "viva: viva.yaml:2: tests: there is no cases.json (did you mean 'cases.jsonl'?)"
    missing = "viva: viva.yaml:6: agent 'c': no such program: nosuchcmd (is it installed, and on the PATH?)"
    for config, said in (
        ("agent: c\ntests: cases.json\n", misspelt),
        ("agent: c\ntests: cases.jsonl\nagents:\n  c:\n    description: d\n    cmd: [nosuchcmd, x]\n", missing),
    ):
        project.write("viva.yaml", config)
        for command in ("validate", "test"):
            done = project.viva(command)
            assert done.code == 2
            assert said in done.err.splitlines(), (command, done.err)


def test_every_bad_value_of_run_is_told_at_once_with_its_line(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    bad = "run:\n  timeout: 5 parsecs\n  budget: lots\n  order: chaos\n  paralel: 3\n"
    project.write("viva.yaml", "tests: cases.jsonl\n" + bad)
    for command in ("validate", "test"):
        said = project.viva(command).err
        assert "run: unknown field 'paralel' (did you mean 'parallel'?)" in said
        told = [line.split(": ")[1:3] for line in said.splitlines()]
        assert told == [
            ["viva.yaml:3", "run.timeout"],
            ["viva.yaml:4", "run.budget"],
            ["viva.yaml:5", "run.order"],
            ["viva.yaml:6", "run"],
            ["4 problems; nothing was run"],
        ]
