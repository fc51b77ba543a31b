"""What a Python file imports of the project, found without running it."""

from pathlib import Path

from vivavoce.app.imported_files import with_imports


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
