"""`viva demo`: it works as it stands, and so do the commands it prints."""

import re
import subprocess
import sys
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
    missed = re.search(r"What its tests miss:\s+(.+)", done.out)
    assert missed is not None
    listed = subprocess.run(["sh", "-ec", missed[1]], capture_output=True, text=True, timeout=120)
    assert "mutation score" in listed.stdout, listed.stdout + listed.stderr
    assert list((project.root / "my-exam" / ".viva" / "results").glob("output-*.jsonl"))


@pytest.mark.process
def test_started_by_a_path_from_here_it_prints_one_that_works_elsewhere(tmp_path: Path) -> None:
    """As `make demo` starts it: `.venv/bin/viva`, while the exams change the working folder."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "viva").symlink_to(Path(sys.executable).with_name("viva"))
    done = subprocess.run(["bin/viva", "demo"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Start your own:       {tmp_path / 'bin' / 'viva'} init my-exam" in done.stdout
