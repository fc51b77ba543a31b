"""`viva flaky`: what it prints, and that --json stays JSON."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.insight.test_flakiness import attempt, result

import vivavoce
from vivavoce.cli.commands.flaky import case_words, command
from vivavoce.insight.flakiness import flaky_cases

MIXED = [result(1, at, (attempt(True), attempt(False)), source="same") for at in range(4)]


def test_a_case_in_words():
    (found,) = flaky_cases(MIXED)
    assert case_words(found) == [
        "4 of 8 runs passed (95 % interval 22–78 %), 7 flips since r0",
        "failures by fault: agent 4",
    ]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "viva.yaml").write_text("agents: {}\n")
    return tmp_path


def test_without_a_history_nothing_is_flaky_and_nothing_is_written(project: Path):
    done = CliRunner().invoke(command, ["--quarantine"])
    assert done.output == "no flaky case; the history has 0 results\nquarantine.yaml: nothing to add\n"
    assert not (project / "quarantine.yaml").exists()


def test_json_stays_json(project: Path):
    done = CliRunner().invoke(command, ["--json", "--quarantine"])
    assert json.loads(done.stdout) == []


def test_results_that_differ_too_seldom_are_named(project: Path):
    (project / "agent.py").write_text(
        "import pathlib\n\n\ndef reply(messages):\n    return pathlib.Path('says').read_text()\n"
    )
    (project / "cases.jsonl").write_text('{"id": "a", "input": "Hi", "assert": {"type": "contains", "value": "yes"}}\n')
    for said in ("yes", "yes", "no"):
        (project / "says").write_text(said)
        vivavoce.run("cases.jsonl", agent="python:agent.py:reply", history=True)
    assert "some results differ, but too few to be sure: cases.jsonl::a (run" in CliRunner().invoke(command, []).output
