"""Agent packages as real Yao applications write them: own hooks, own words, names that nothing fills."""

import json

import pytest
from tests.cli.conftest import VivaProject

HOOKS = """
def Before(ctx, case):
    print(f"made for {case['id']}")
    return {"uid": 7}

def After(ctx, case, result, data):
    print(f"cleaned {data['uid']} after {result['status']}")

def BeforeAll(run):
    return {"GREETING": "moin"}
"""


@pytest.fixture
def keeper(project: VivaProject) -> VivaProject:
    say = {"type": "scripted", "options": {"rules": [{"say": "{{ messages[0].content }}; {{ messages[-1].content }}"}]}}
    project.write("connectors/c.conn.yao", json.dumps(say))
    project.write("assistants/k/package.yao", '{"name": "{{ name }}", "connector": "c"}')
    project.write("assistants/k/locales/en-us.yml", "name: Keeper\n")
    project.write("assistants/k/prompts.yml", "- role: system\n  content: I am {{ name }}\n")
    project.write("assistants/k/src/env_test.py", HOOKS)
    project.write("scripts/env_test.py", "def Before(case): raise ValueError('the wrong file')\n")
    case = {"id": "A", "input": "${GREETING} ${uid}", "before": "env_test.Before", "after": "env_test.After"}
    project.write("assistants/k/tests/in.jsonl", json.dumps({**case, "expected": "I am Keeper; moin 7"}))
    return project


def run(project: VivaProject, *flags: str):
    return project.viva("test", "-i", "assistants/k/tests/in.jsonl", "--before", "env_test.BeforeAll", "-v", *flags)


def test_hooks_of_the_package_and_words_of_its_locale_file(keeper: VivaProject):
    done = run(keeper)
    assert done.code == 0, done.text
    assert "made for A" in done.out
    assert "cleaned 7 after passed" in done.out


def test_hooks_in_typescript_are_named_before_anything_runs(keeper: VivaProject):
    (keeper.root / "assistants/k/src/env_test.py").rename(keeper.root / "assistants/k/src/env_test.ts")
    (keeper.root / "scripts/env_test.py").unlink()
    done = run(keeper)
    assert done.code == 2
    assert "assistants/k/tests/in.jsonl:1: script 'env_test.Before': assistants/k/src/env_test.ts is not" in done.err


@pytest.mark.parametrize("command", ["test", "validate"])
def test_a_name_in_a_prompt_that_nothing_fills_is_refused(keeper: VivaProject, command: str):
    keeper.write("assistants/k/prompts.yml", "- role: system\n  content: I am {{ nam }}\n")
    done = keeper.viva(command, "-i", "assistants/k/tests/in.jsonl")
    assert done.code == 2
    assert "assistants/k/prompts.yml:1: the prompt uses {{ nam }}" in done.err
    assert "did you mean 'name'?" in done.err
