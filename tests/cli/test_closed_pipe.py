"""`viva … | head`: whoever read the output has gone."""

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
    assert process.wait(timeout=20) in ((0, 141) if command == "list" else (141,))
