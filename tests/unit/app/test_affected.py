"""Which cases a saved file affects."""

from pathlib import Path

import pytest

from vivavoce.app.affected import Affected
from vivavoce.app.opening import open_project
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.model.case import AssertionSpec, Case, Origin, SimulatorSpec

CONFIG = """
agents:
  shop: {python: "agents/shop/agent.py:reply"}
  bank: {python: "agents/bank/agent.py:reply"}
  root: {python: "plain.py:reply"}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {
        "viva.yaml": CONFIG,
        "agents/shop/agent.py": "import shared.money\n",
        "agents/shop/prompts/system.md": "",
        "agents/bank/agent.py": "",
        "assistants/desk/package.yao": "{}",
        "assistants/desk/prompts.yml": "",
        "assistants/desk/tests/desk.jsonl": "",
        "assistants/judge/package.yao": "{}",
        "assistants/judge/prompts.yml": "",
        "shared/money.py": "",
        "plain.py": "",
        "notes.txt": "",
        "connectors/a.conn.yao": "{}",
        "tests/shop.jsonl": "",
        "tests/bank.jsonl": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


CASES = (
    Case(id="shop", agent="shop", origin=Origin("tests/shop.jsonl", 1)),
    Case(id="bank", agent="bank", origin=Origin("tests/bank.jsonl", 1)),
    Case(id="plain", agent="root", origin=Origin("tests/bank.jsonl", 2)),
    Case(id="desk", origin=Origin("assistants/desk/tests/desk.jsonl", 1)),
    Case(
        id="judged",
        agent="bank",
        origin=Origin("tests/bank.jsonl", 3),
        assertions=(AssertionSpec(type="agent", fields={"use": "agents:judge"}),),
    ),
    Case(id="simulated", agent="bank", origin=Origin("tests/bank.jsonl", 4), simulator=SimulatorSpec(use="shop")),
)
FILES = ("tests/shop.jsonl", "tests/bank.jsonl", "assistants/desk/tests/desk.jsonl")


def affected_by(root: Path, *changed: str) -> set[str]:
    resources = RunResources(open_project(None, root), RunSettings())
    affected = Affected([root / name for name in changed], [root / name for name in FILES], resources)
    return {case.id for case in CASES if affected.wants(case)}


@pytest.mark.parametrize(
    ("changed", "cases"),
    [
        ("tests/shop.jsonl", {"shop"}),
        ("assistants/desk/tests/desk.jsonl", {"desk"}),
        ("agents/shop/agent.py", {"shop", "simulated"}),
        ("agents/shop/prompts/system.md", {"shop", "simulated"}),
        ("shared/money.py", {"shop", "simulated"}),
        ("assistants/desk/prompts.yml", {"desk"}),
        ("assistants/judge/prompts.yml", {"judged"}),
        ("notes.txt", {"plain"}),
        ("plain.py", {"plain"}),
        ("viva.yaml", {"shop", "bank", "plain", "desk", "judged", "simulated"}),
        ("connectors/a.conn.yao", {"shop", "bank", "plain", "desk", "judged", "simulated"}),
    ],
)
def test_a_saved_file_affects_its_cases_or_those_of_its_agent(root: Path, changed: str, cases: set[str]):
    assert affected_by(root, changed) == cases


def test_several_files_affect_the_cases_of_each(root: Path):
    assert affected_by(root, "tests/shop.jsonl", "assistants/desk/prompts.yml") == {"shop", "desk"}


def test_the_files_that_matter_are_known(root: Path):
    resources = RunResources(open_project(None, root), RunSettings())
    known = Affected((), [root / name for name in FILES], resources).known_files()
    told = {str(path.relative_to(root.resolve())) for path in known}
    assert told >= {*FILES, "agents/shop/agent.py", "shared/money.py", "assistants/desk/prompts.yml"}
    assert "notes.txt" not in told
