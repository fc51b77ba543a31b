"""The example of a framework that is not installed beside viva: its score, that every check counts, its coverage."""

import json
import subprocess
from pathlib import Path

from tests.live.environments import ROOT, environment
from tests.live.viva_in import interpreter

from vivavoce.cli.commands.init import write_project

COUNTED_BY_HAND = {
    "price_of called": "checked",
    "price_of returned": "checked",
    "price_of failed": "never",
    "refund called": "checked",
    "refund returned": "unchecked",  # the words of the reply are checked, the result is not
    "refund failed": "never",
    "price_of.item given": "checked",
    "refund.order given": "checked",
    "refund resolved": "checked",
    "refund cancelled": "never",
    "price_of → refund seen": "checked",
}


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


def test_the_coverage_of_the_openai_agents_example_is_as_counted_by_hand(tmp_path: Path):
    python = interpreter("openai-agents", everything=False)
    write_project(tmp_path, "openai_agents")
    for command in (("test", "-o", "out.jsonl"), ("coverage", "out.jsonl", "-o", "coverage.json")):
        done = subprocess.run(
            [str(python), "-m", "vivavoce", *command],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "coverage.json").read_text())
    assert {f"{one['name']} {one['aspect']}": one["state"] for one in found["items"]} == COUNTED_BY_HAND
