"""Everything in `viva.yaml` that cannot work is found with its line, also when no case uses it."""

from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.app.opening import open_project
from vivavoce.engine.plan.config_checks import config_problems


def problems(root: Path, config: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(root)
    write_files(root, {"viva.yaml": config, "agent.py": "def reply(text): return text\n"})
    return [str(problem) for problem in config_problems(open_project(None))]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("agents: {}\ntests: nowhere.jsonl\n", "viva.yaml:2: "),
        ("agents: {}\nagent: nobody\n", "viva.yaml:2: unknown agent 'nobody'"),
        ("agents:\n  a: {agui: notaurl}\n", "viva.yaml:2: "),
        ("agents:\n  a: {cmd: [no-such-program-here]}\n", "viva.yaml:2: "),
        ("agents:\n  a: {python: agent.py:reply, rate: often}\n", "viva.yaml:2: bad rate 'often'"),
        ("connectors:\n  c: {type: opnai}\n", "viva.yaml:2: "),
        ("agents: {}\nawaiting: {patterns: ['(']}\n", "viva.yaml:2: awaiting.patterns[0]: "),
        ("agents: {}\nrun: {timeout: soon}\n", "viva.yaml:2: run.timeout: bad duration 'soon'"),
        ("agents: {}\nrun: {budget: much}\n", "viva.yaml:2: "),
        ("agents: {}\nrun: {connector: nope}\n", "viva.yaml:2: unknown connector 'nope'"),
        ("agents: {}\nrun: {simulator: nope}\n", "viva.yaml:2: unknown agent 'nope'"),
    ],
)
def test_a_problem_is_told_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str, told: str):
    (found,) = problems(tmp_path, config, monkeypatch)
    assert found.startswith(told)


def test_all_problems_are_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    config = "agents:\n  a: {agui: notaurl}\nrun:\n  timeout: soon\n  connector: nope\n"
    assert len(problems(tmp_path, config, monkeypatch)) == 3


def test_a_configuration_in_order_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    config = "agents:\n  a: {python: agent.py:reply, rate: 10/s}\nagent: a\nrun: {timeout: 5s, budget: 2usd}\n"
    assert problems(tmp_path, config, monkeypatch) == []


def test_files_that_are_nearly_tests_are_named_themselves_each_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    listed = "- {id: a, turns: [{input: hello}]}\n"
    write_files(tmp_path, {"tests/one.yaml": listed, "tests/two.yaml": "turms:\n  - input: hello\n"})
    one, two = problems(tmp_path, "tests: tests\n", monkeypatch)
    assert one.startswith("tests/one.yaml: this looks like a list of tests")
    assert two.startswith("tests/two.yaml: this looks like a test, but its 'turns' are misspelt")
