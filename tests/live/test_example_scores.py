"""The example of a framework that is not installed beside viva: its tests are strong, and every check of it counts."""

import json
import subprocess
from pathlib import Path

from tests.live.environments import ROOT, environment
from tests.live.viva_in import interpreter


def test_every_weakening_of_the_openai_agents_example_lowers_its_score(tmp_path: Path):
    python = interpreter("openai-agents", everything=False)
    done = subprocess.run(
        [str(python), "-m", "tests.fakes.weakening", "openai_agents", str(tmp_path)],
        cwd=ROOT,
        env={**environment(), "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["tried"] >= 5
    assert found["score"] >= 90
    assert found["harmless"] == []
