"""The tools of an agent are listed for `viva coverage` without calling it: every framework, in its own virtualenv."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.live.environments import environment
from tests.live.test_frameworks import KINDS, SAMPLES
from tests.live.viva_in import interpreter, viva_in

pytestmark = pytest.mark.timeout(900)
OTHERS = {
    ("agno", "team"), ("autogen", "team"), ("crewai", "crew"), ("dspy", "desk"), ("google-adk", "app"),
    ("haystack", "helper"), ("llama-index", "team"), ("strands", "graph"),
}  # fmt: skip
"""Objects that have their tools through others."""


@pytest.mark.parametrize(("kind", "name"), sorted({(kind, "agent") for kind in KINDS} | OTHERS))
def test_a_tool_that_no_case_calls_is_known(kind: str, name: str, tmp_path: Path):
    python = interpreter(kind, everything=os.environ.get("VIVA_LIVE") == "all")
    sample = f"{kind.replace('-', '_')}_agent.py"
    for file in (sample, "brain.py"):
        shutil.copy(SAMPLES / file, tmp_path / file)
    (tmp_path / "cases.jsonl").write_text('{"id": "T1", "input": "weather"}\n')
    viva_in(python, tmp_path, "-n", f"python:{sample}:{name}", "-i", "cases.jsonl")
    command = [str(python), "-m", "vivavoce", "coverage", "results.jsonl", "-o", "coverage.json"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "list" not in " ".join(json.loads((tmp_path / "coverage.json").read_text())["notes"])
    assert re.search(r"^  delete_file +never +never +never$", done.stdout, re.MULTILINE), done.stdout
    assert "delete_file.path" in done.stdout
