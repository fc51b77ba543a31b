"""Arguments of a coding agent that no tool has, or that say nothing."""

from typing import Any

import pytest

from vivavoce.mcp_server.server import problem_of

KNOWN = frozenset({"paths", "keywords", "runs"})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"path": "a.jsonl"}, "unknown argument 'path' (did you mean 'paths'?)"),
        ({"zzz": 1}, "unknown argument 'zzz' (it has keywords, paths, runs)"),
        ({"paths": []}, "paths is empty: leave it out, or say what is meant"),
        ({"keywords": "  "}, "keywords is empty: leave it out, or say what is meant"),
    ],
)
def test_what_would_be_dropped_is_a_problem(arguments: dict[str, Any], problem: str):
    assert problem_of(arguments, KNOWN) == problem


@pytest.mark.parametrize("arguments", [{}, {"paths": ["a.jsonl"], "runs": 0}, {"keywords": None}])
def test_what_a_tool_takes_is_none(arguments: dict[str, Any]):
    assert problem_of(arguments, KNOWN) is None
