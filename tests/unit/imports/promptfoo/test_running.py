"""Python that makes prompts, tests and variables: run with `--run-code` only."""

from pathlib import Path

import pytest

from vivavoce.imports.found import FoundCase, ImportOptions, Refused
from vivavoce.imports.promptfoo.config import read
from vivavoce.imports.promptfoo.running import answer_of
from vivavoce.notation.templates import TemplateProblem

CONFIG = """
prompts: ["file://made.py:ask"]
tests:
  - file://made.py
  - {path: "file://made.py:more", config: {times: 2}}
  - vars: {question: Who, name: "file://made.py"}
"""
MADE = """
from pathlib import Path

Path("ran").touch()
print("noise")

def ask(context):
    return [{"role": "user", "content": "Q: " + context["vars"]["question"]}]

def generate_tests():
    return [{"vars": {"question": "Hi"}}, 7]

def more(config):
    return [{"vars": {"question": "?" * config["times"]}}]

def get_var(name, prompt, others):
    return {"output": name + others["question"]}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "made.py").write_text(MADE)
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(CONFIG)
    return path


def test_nothing_runs_unless_it_is_said(config: Path):
    found = list(read(config, ImportOptions(folder=config.parent / "out")))
    assert all(isinstance(one, Refused) and "--run-code" in one.what for one in found)
    assert not (config.parent / "ran").exists()


def test_what_the_scripts_make_becomes_cases(config: Path):
    found = list(read(config, ImportOptions(folder=config.parent / "out", run_code=True)))
    cases = [one.case for one in found if isinstance(one, FoundCase)]
    assert [case["messages"][0]["content"] for case in cases] == ["Q: Hi", "Q: ??", "Q: Who"]
    assert cases[2]["metadata"]["vars"] == {"question": "Who", "name": "nameWho"}
    assert [one.what for one in found if isinstance(one, Refused)] == ["a test must be an object: 7"]


@pytest.mark.parametrize(
    ("code", "why"),
    [("1 / 0", "ZeroDivisionError"), ("import os; os._exit(0)", "it gave no answer"), ("", "no attri")],
)
def test_a_script_that_fails_is_told(code: str, why: str, tmp_path: Path):
    (tmp_path / "made.py").write_text(code)
    with pytest.raises(TemplateProblem, match=why):
        answer_of("made.py:ask", "", folder=tmp_path, allowed=True)
