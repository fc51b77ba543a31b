"""Every promise in SECURITY.md names a test that exists."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROMISES = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("## Promises")[2].splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| Promise"))
]


@cache
def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_there_are_promises():
    assert len(PROMISES) > 30
    assert PROMISES[0][0]


@pytest.mark.parametrize("row", PROMISES, ids=lambda row: row[1].partition("::")[2])
def test_the_test_of_a_promise_exists(row: list[str]):
    file, _, name = row[1].partition("::")
    assert name in names_in(file)
