"""What packages, simulators, judges and generators ask their models is taped like everything else."""

from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

RULES = """
rules:
  - {{ system: "fair judge", data: {{ passed: {passes}, score: 0.9, reason: "{word}" }} }}
  - {{ system: "You write test cases", say: '[{{"id": "made", "input": "Say {word}"}}]' }}
  - {{ system: "You play a user", data: {{ message: "I want {word}", goal_achieved: false }} }}
  - {{ when: "^I want", say: "Here is {word}." }}
otherwise: "We have {word}. What do you want?"
"""
CASE = """
{"id": "bought", "input": "Hi", "max_turns": 2,
  "simulator": {"use": "viva.simulator", "options": {"metadata": {"goal": "buy"}}}, "assert": [
  {"type": "agent", "criteria": "relevant"}]}
"""


@pytest.fixture
def shop(tmp_path: Path) -> VivaProject:
    project = VivaProject(tmp_path)
    project.write("assistants/bot/package.yao", '{"name": "bot", "connector": "brain"}')
    project.write("assistants/bot/prompts.yml", "- {role: system, content: You sell tea.}\n")
    project.write("connectors/brain.conn.yao", '{"type": "scripted", "options": {"rules": "brain.rules.yaml"}}')
    project.write("viva.yaml", "agent: bot\nrun: {connector: brain}\n")
    project.write("cases.jsonl", CASE)
    says(project, "tea", passes=True)
    return project


def says(project: VivaProject, word: str, *, passes: bool) -> None:
    project.write("connectors/brain.rules.yaml", RULES.format(word=word, passes=str(passes).lower()))


def test_package_simulator_and_judge_answer_from_the_tape(shop: VivaProject):
    recorded = shop.viva("test", "-i", "cases.jsonl", "-v", "--record", "tapes")
    assert recorded.code == 0, recorded.text
    assert "I want tea" in recorded.out
    says(shop, "coffee", passes=False)
    replayed = shop.viva("test", "-i", "cases.jsonl", "-v", "--replay", "tapes", "--replay-only")
    assert replayed.code == 0, replayed.text
    assert "coffee" not in replayed.out
    assert "Here is tea." in replayed.out
    fresh = shop.viva("test", "-i", "cases.jsonl", "--replay", "tapes", "--fresh-judges")
    assert fresh.code == 1, fresh.text
    assert "coffee" in fresh.out


def test_generated_cases_come_from_the_tape(shop: VivaProject):
    command = ("test", "-i", "agents:viva.generator?count=1", "-v")
    recorded = shop.viva(*command, "--record", "tapes")
    assert recorded.code == 0, recorded.text
    says(shop, "coffee", passes=False)
    replayed = shop.viva(*command, "--replay", "tapes", "--replay-only")
    assert replayed.code == 0, replayed.text
    assert "coffee" not in replayed.out
    assert "Say tea" in replayed.out
