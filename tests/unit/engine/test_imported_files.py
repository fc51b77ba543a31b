"""What a Python file imports of the project, found without running it."""

import ast
from pathlib import Path

import pytest

import vivavoce
from vivavoce.engine.imported_files import _modules_in, with_imports  # pyright: ignore[reportPrivateUsage]


def written(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(found: set[Path], root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in found}


def test_imports_are_followed_through_others(tmp_path: Path):
    written(tmp_path, agent="import json, tools.pay", tools__pay="from .cards import visa", tools__cards="visa = 1")
    written(tmp_path, other="import tools.pay")
    (tmp_path / "tools" / "__init__.py").touch()
    found = names(with_imports([tmp_path / "agent.py"], tmp_path), tmp_path)
    assert found == {"agent.py", "tools/pay.py", "tools/cards.py", "tools/__init__.py"}


def test_a_module_beside_the_file_counts_and_a_circle_ends(tmp_path: Path):
    written(tmp_path, app__a="def f():\n    import b", app__b="from a import f")
    assert names(with_imports([tmp_path / "app" / "a.py"], tmp_path), tmp_path) == {"app/a.py", "app/b.py"}


def test_a_module_imported_from_its_package_is_found(tmp_path: Path):
    written(tmp_path, agent="from tools import pay", tools__pay="")
    assert names(with_imports([tmp_path / "agent.py"], tmp_path), tmp_path) == {"agent.py", "tools/pay.py"}


def test_broken_code_imports_nothing_and_raises_nothing(tmp_path: Path):
    written(tmp_path, agent="import (")
    assert names(with_imports([tmp_path / "agent.py"], tmp_path), tmp_path) == {"agent.py"}


SPELLINGS = (
    "import tools.pay",
    "import json, tools.pay as p",
    "from tools import pay",
    "from tools import (\n    cards,  # first (of two)\n    pay as p,\n)",
    "from tools import cards, \\\n    pay",
    "from tools.pay import visa",
    "if True: import tools.pay",
    "import os; import tools.pay",
    "def f():\n\tfrom tools import pay",
    "from .tools import pay",
    "from . import tools\nfrom .tools.pay import *",
    "from tools.pay import(visa)",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_an_import_is_read(tmp_path: Path, spelling: str):
    compile(spelling, "agent.py", "exec")
    written(tmp_path, agent=spelling, tools__pay="", tools__cards="")
    assert "tools/pay.py" in names(with_imports([tmp_path / "agent.py"], tmp_path), tmp_path)


def test_no_import_is_read_otherwise_than_python_reads_it():
    """Compared with the parser, for the modules of the engine."""
    root = Path(vivavoce.__file__).parents[1]
    missed: set[str] = set()
    for path in (root / "vivavoce" / "engine").rglob("*.py"):
        parsed = {
            f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            for node in ast.walk(ast.parse(path.read_bytes()))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
            if alias.name != "*"
        }
        missed |= parsed - {name for _, name in _modules_in(path, root)}
    assert missed == set()
