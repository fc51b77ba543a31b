"""The project's Python files that other files import, found without running any of them."""

import ast
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path


def with_imports(files: Iterable[Path], root: Path) -> set[Path]:
    """The files, and the project's Python files that they import, directly or through others. Runs none of them."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path.suffix == ".py":
            waiting += [other for other in _imported(path, root) if other not in found]
    return found


def _imported(path: Path, root: Path) -> set[Path]:
    modules = set[tuple[Path, str]]()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            modules |= {(base, alias.name) for base in (root, path.parent) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            bases = (root, path.parent) if node.level == 0 else (path.parents[node.level - 1],)
            inside = f"{node.module}." if node.module else ""
            names = [node.module or "", *(f"{inside}{alias.name}" for alias in node.names)]
            modules |= {(base, name) for base in bases for name in names if name}
    return {file for base, name in modules for file in _files_of(base, name) if file.is_relative_to(root)}


@lru_cache(maxsize=4096)
def _files_of(base: Path, module: str) -> tuple[Path, ...]:
    """The file of a module, and the `__init__.py` of every package around it."""
    parts = module.split(".")
    packages = [base.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
    return tuple(path for path in (*packages, base.joinpath(*parts).with_suffix(".py")) if path.is_file())


def _tree(path: Path) -> ast.AST:
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])
