"""`viva … | head`: whoever read the output has gone. `viva … <&-`: there was nobody from the start."""

import os
import subprocess

import pytest
from tests.cli.conftest import VIVA, VivaProject


@pytest.mark.parametrize("command", ["test", "list"])
def test_a_closed_pipe_ends_viva_without_a_word(project: VivaProject, command: str):
    project.cases(*({"id": f"case {n}", "input": "slow"} for n in range(400)))
    process = subprocess.Popen(
        [VIVA, command, "-i", "cases.jsonl"], cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    # A short list may have gone into the pipe as a whole.
    assert process.wait(timeout=200) in ((0, 141) if command == "list" else (141,))


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_run_works_without_standard_streams(project: VivaProject, closed: str, loop: str):
    pytest.importorskip(loop, reason=f"{loop} is not installed: closed streams go untested in its loop")
    project.write("viva.yaml", "agents: {said: {cmd: [echo, hello]}}\nagent: said\n")
    project.cases(*({"id": f"case {n}", "input": "hi", "hooks": [{"cmd": ["true"]}]} for n in range(3)))
    done = without(closed, project, "test", "-i", "cases.jsonl", "-o", "out.jsonl", VIVA_LOOP=loop)
    assert done.returncode == 0, done
    assert set(project.statuses().values()) == {"passed"}


def test_nothing_can_be_read_from_a_closed_stdin(project: VivaProject):
    done = without("<&-", project, "list", "-i", "-")
    problem = "viva: -i -: there is no standard input to read cases from\nviva: 1 problem; nothing was run\n"
    assert (done.returncode, done.stderr) == (2, problem)


def without(closed: str, project: VivaProject, *arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", str(VIVA), *arguments]
    return subprocess.run(
        command, cwd=project.root, env={**os.environ, **env}, capture_output=True, text=True, timeout=200
    )
