"""A test file of another tool, given as cases: the error names the import that reads it."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.imports.known import KINDS
from vivavoce.sources.reading.foreign_tests import _FIELDS, foreign_file
from vivavoce.sources.reading.json_file import JsonSource
from vivavoce.sources.reading.yaml_file import YamlSource

DATA = Path(__file__).parents[3] / "data" / "imports"
FILES = {
    "promptfoo": "promptfoo/promptfooconfig.yaml",
    "skills": "agent-skills/evals.json",
    "adk": "adk/shop.evalset.json",
    "deepeval": "deepeval/goldens.json",
    "evalview": "evalview/refund.yaml",
    "pydantic-evals": "pydantic-evals/shop.yaml",
    "openai-api": "openai-evals-api/eval.json",
    "agenteval": "aws-agent-evaluation/agenteval.yml",
    "tau2": "tau2/tasks.json",
}


def test_the_kinds_are_those_of_the_import():
    assert _FIELDS.keys() == FILES.keys()
    assert _FIELDS.keys() <= KINDS.keys()


@pytest.mark.parametrize("kind", FILES)
def test_one_error_names_the_import(kind: str):
    path = DATA / FILES[kind]
    source = JsonSource if path.suffix == ".json" else YamlSource
    (found,) = source(path, path.name).read()
    assert isinstance(found, UsageError)
    assert found.hint == f"viva import {kind} {path.name} -o tests"


@pytest.mark.parametrize("value", [None, [], "x", {"input": "x"}, {"turns": []}, [{"id": "a", "input": "x"}]])
def test_cases_are_no_foreign_file(value: object):
    assert foreign_file(value, "x.json") is None
