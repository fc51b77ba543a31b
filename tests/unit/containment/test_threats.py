"""The table in containment/__init__.py is complete and true."""

import ast
from pathlib import Path

import pytest

from vivavoce import containment

HERE = Path(containment.__file__).parent
TESTS = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (containment.__doc__ or "").splitlines()
    if line.startswith("|") and "---" not in line and not line.startswith("| threat")
]


def test_every_module_has_a_threat_it_is_against():
    assert {row[2] for row in ROWS if not row[2].startswith("..")} == {path.stem for path in HERE.glob("[!_]*.py")}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_module_and_the_test_of_a_threat_exist(row: list[str]):
    _, _, module, test = row
    file, _, name = test.partition("::")
    assert (HERE / f"{module}.py").is_file()
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
