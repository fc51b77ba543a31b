"""Flags of `viva test` that choose agents, cases, identity and where results go."""

import json
import subprocess

from tests.cli.conftest import VIVA, VivaProject


def two_cases(project: VivaProject) -> None:
    project.cases({"id": "refund", "input": "a b", "tags": ["slow"]}, {"id": "pay", "input": "c d", "tags": ["smoke"]})


def test_result_lines_go_to_stdout_and_the_console_to_stderr(project: VivaProject):
    two_cases(project)
    done = project.viva("test", "-i", "cases.jsonl", "-o", "-")
    assert done.code == 0
    assert [json.loads(line)["type"] for line in done.out.splitlines()] == ["start", "result", "result", "summary"]
    assert "Running Tests" in done.err


def test_a_reader_that_leaves_ends_the_run_as_a_closed_pipe_does(project: VivaProject):
    project.cases(*({"id": f"case {n}", "input": "slow a"} for n in range(100)))
    command = f"{VIVA} test -i cases.jsonl -j 8 -o - | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=project.root, capture_output=True, text=True, timeout=200, check=False
    )
    first, code = done.stdout.splitlines()
    assert json.loads(first)["type"] == "start"
    assert code == "141"
    assert "Traceback" not in done.stderr


def test_two_agents_are_refused_with_the_command_that_compares(project: VivaProject):
    two_cases(project)
    done = project.viva("test", "-i", "cases.jsonl", "-n", "echo", "-n", "other")
    assert done.code == 2
    assert "given 2 times" in done.err
    assert "viva compare" in done.err


def test_expressions_choose_cases_and_say_how_many_were_left_out(project: VivaProject):
    two_cases(project)
    done = project.viva("test", "-i", "cases.jsonl", "-k", "refund and not pay")
    assert "(1 test case; 1 left out by -k)" in done.out
    assert "[refund]" in done.out
    assert "[pay]" in project.viva("test", "-i", "cases.jsonl", "-m", "smoke and not slow").out
    bad = project.viva("test", "-i", "cases.jsonl", "-m", "smoke and")
    assert bad.code == 2
    assert "--run takes a regular expression" in bad.err


def test_a_context_file_is_read_and_its_unknown_keys_refused(project: VivaProject):
    two_cases(project)
    project.write("who.json", '{"user_id": "ann", "metadata": {"plan": "gold"}}')
    assert project.viva("test", "-i", "cases.jsonl", "--ctx", "who.json", "-o", "out.jsonl").code == 0
    start = json.loads((project.root / "out.jsonl").read_text().splitlines()[0])
    assert start["environment"]["user_id"] == "ann"
    project.write("who.json", '{"usr": "ann"}')
    done = project.viva("test", "-i", "cases.jsonl", "--ctx", "who.json")
    assert done.code == 2
    assert "usr" in done.err


def test_list_finds_what_validate_finds(project: VivaProject):
    project.cases({"id": "a", "input": "a b", "agent": "nobody", "assert": [{"type": "agent", "use": "agents:ghost"}]})
    listed, validated = project.viva("list", "-i", "cases.jsonl"), project.viva("validate", "-i", "cases.jsonl")
    assert (listed.code, listed.err) == (2, validated.err)
    assert "nobody" in listed.err


def test_a_wrong_default_agent_is_reported_with_its_line(project: VivaProject):
    two_cases(project)
    project.write("viva.yaml", "agents:\n  echo: {cmd: [echo, hi]}\nagent: ecoh\n")
    for command in ("test", "validate", "list"):
        assert "viva.yaml:3: unknown agent 'ecoh'" in project.viva(command, "-i", "cases.jsonl").err


def test_no_agent_speaks_of_flags_only(project: VivaProject):
    two_cases(project)
    project.write("viva.yaml", "{}\n")
    done = project.viva("test", "-i", "cases.jsonl")
    assert done.code == 2
    assert "give -n AGENT" in done.err
    assert "Python" not in done.err
    assert "pytest" not in done.err
