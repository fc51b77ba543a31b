"""A disk that is full: what the console showed as passed is in the file, or viva says that it is not."""

import json
import re
import subprocess

import pytest
from tests.cli.conftest import VIVA, VivaProject


@pytest.mark.parametrize(("said", "cases", "kibibytes"), [("a b", 40, 8), ("slow", 8, 2)])
def test_what_was_shown_is_kept_or_told(project: VivaProject, said: str, cases: int, kibibytes: int):
    project.cases(*({"id": f"c{n}", "input": said} for n in range(cases)))
    # A limit on the size of files stands for a full disk: no other place has room either.
    command = f"ulimit -f {kibibytes}; exec {VIVA} test -i cases.jsonl -o out.jsonl --no-history"
    done = subprocess.run(
        ["bash", "-c", command], cwd=project.root, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 3
    shown = set(re.findall(r"^✓ \[(c\d+)\]", done.stdout, re.MULTILINE))
    rows = [json.loads(line) for line in (project.root / "out.jsonl").read_text().splitlines()]
    kept = {row["id"] for row in rows if row["type"] == "result"}
    told = set(re.findall(r"c\d+", done.stderr.partition("not kept: ")[2]))
    assert len(kept) < cases
    assert shown - kept == told, done.stderr
    assert "could not be written: File too large" in done.stderr
