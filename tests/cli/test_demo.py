"""`viva demo`: it works as it stands, and so do the commands it prints."""

import re
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject


@pytest.mark.process
def test_the_demo_ends_with_commands_that_work_as_printed(project: VivaProject) -> None:
    """`make demo` runs a viva that the shell does not find by its name."""
    (project.root / "viva.yaml").unlink()
    done = project.viva("demo")
    assert done.code == 0, done.text
    _, _, printed = done.out.rpartition("Start your own:")
    ran = subprocess.run(["sh", "-ec", printed], cwd=project.root, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    score = re.search(r"mutation score: ([\d.]+) %", done.out)
    assert score is not None
    assert float(score[1]) >= 90
    for line in re.findall(r"report: (.+)", done.out):
        assert Path(line).is_file()
        assert Path(line).parent.parts[-2:] == (".viva", "results")
    again = re.search(r"Run the first again:\s+(.+)", done.out)
    assert again is not None
    once_more = subprocess.run(["sh", "-ec", again[1]], capture_output=True, text=True, timeout=120)
    assert (once_more.returncode, "Failures (1)" in once_more.stdout) == (1, True), "the planted bug is found again"
    assert list((project.root / "my-exam" / ".viva" / "results").glob("output-*.jsonl"))
