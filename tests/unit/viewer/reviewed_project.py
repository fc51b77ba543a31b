"""A project of which the newest run saw other values than the approved ones."""

import subprocess
import sys
from pathlib import Path

CASES = """\
{"id": "price", "name": "The price", "input": "price?", "assertions": [{"type": "snapshot"}]}
{"id": "days", "name": "Delivery", "input": "days?", "assertions": [{"type": "contains", "value": "costs"}]}
"""
AGENT = """
def echo(messages):
    return "It costs 18 euro."
"""


def make_reviewed(root: Path) -> None:
    """Two runs of two cases: the first approves what the second sees otherwise."""
    (root / "tests").mkdir()
    (root / "tests" / "a.jsonl").write_text(CASES)
    (root / "viva.yaml").write_text('tests: tests\nagent: echo\nagents:\n  echo: {python: "agents:echo"}\n')
    (root / "agents.py").write_text(AGENT)
    run_viva(root)
    (root / "agents.py").write_text(AGENT.replace("18", "19"))
    run_viva(root)


def run_viva(root: Path) -> None:
    command = [sys.executable, "-P", "-m", "vivavoce", "test", "-o", "out.jsonl"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=False, env=environment)
    assert done.returncode in (0, 1), done.stdout + done.stderr
