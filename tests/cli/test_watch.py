"""`viva test --watch`, as the real command: at a terminal with keys, and without one."""

import os
import signal
import subprocess

import pytest
from tests.cli.conftest import VIVA, VivaProject
from tests.cli.test_terminal import at_a_terminal

pytestmark = pytest.mark.process

AGENT = (
    "from pathlib import Path\n\ndef reply(messages):\n    return (Path(__file__).parent / 'prompt.md').read_text()\n"
)


def two_agents(project: VivaProject) -> None:
    project.write("viva.yaml", "agents: {a: {python: a/agent.py:reply}, b: {python: b/agent.py:reply}}\n")
    for name in ("a", "b"):
        project.write(f"{name}/agent.py", AGENT)
        project.write(f"{name}/prompt.md", "hello")
        project.cases(
            {"id": f"{name}1", "agent": name, "input": "x", "assert": {"type": "contains", "value": "hello"}},
            name=f"tests/{name}.jsonl",
        )


def test_a_saved_prompt_runs_exactly_the_cases_of_its_agent(project: VivaProject):
    two_agents(project)
    watching = subprocess.Popen(
        [VIVA, "test", "-i", "tests", "--watch", "--format", "agent"],
        cwd=project.root,
        env={**os.environ, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    lines = iter(watching.stdout.readline, "")
    try:
        assert "PASS: 2 of 2" in next(line for line in lines if ": " in line)
        assert "Watching" in next(line for line in lines if "Watching" in line)
        project.write("a/prompt.md", "goodbye")
        assert "FAILED tests/a.jsonl:1 [a1]" in next(line for line in lines if line.startswith("FAILED"))
        assert "FAIL: 0 of 1 passed" in next(line for line in lines if line.startswith("FAIL:"))
        assert "1 case fails" in next(line for line in lines if "Watching" in line)
        project.write("a/agent.py", "def reply(messages):\n    return 'hello again'\n")
        assert "PASS: 1 of 1 passed" in next(line for line in lines if line.startswith("PASS"))
    finally:
        watching.send_signal(signal.SIGINT)
    watching.communicate(timeout=60)
    assert watching.returncode == 130


def test_keys_at_a_terminal(project: VivaProject):
    two_agents(project)
    project.write("a/prompt.md", "goodbye")
    with at_a_terminal(project, "test", "-i", "tests", "--watch") as screen:
        screen.wait_for("1 case fails · a all · f failed", 60)
        screen.type("f")
        screen.wait_for("failed cases", 60)
        screen.wait_for("Total:  1 test", 60)
        screen.type("q")
        assert screen.leave() == 1


@pytest.mark.parametrize("flag", ["--interactive", "--dry-run", "--resume"])
def test_what_cannot_be_watched_is_refused(project: VivaProject, flag: str):
    project.cases({"id": "a", "input": "x"})
    refused = project.viva("test", "-i", "cases.jsonl", "--watch", flag)
    assert refused.code == 2
    assert f"--watch does not go with {flag}" in refused.err
