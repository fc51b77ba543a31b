"""What an agent that a program handed over as an object is made of: code, as far as it can be read."""

import ast
import inspect
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent
from tokenize import TokenError

from vivavoce.engine.agent_files import content_of
from vivavoce.engine.imported_files import with_imports
from vivavoce.model.json_value import JsonValue, map_texts

_RUNS = ("run", "arun")
"""Functions of `vivavoce` that examine an agent and can resume."""
_INSTALLED = frozenset(("site-packages", "dist-packages", ".venv", "venv", "node_modules"))


def live_source(live: object, root: Path) -> JsonValue:
    """The text of its own function or class, and the project's Python files that this process has loaded.

    Which of those made the object cannot be seen, so all of them count. Values that the object holds are not read.
    """
    files = sorted(with_imports(_loaded_files(root), root))
    return [_own_text(live), [[os.path.relpath(path, root), _content(path)] for path in files]]


def _content(path: Path) -> JsonValue:
    return map_texts(content_of(path), _without_resume)


def _own_text(live: object) -> str | None:
    """Returns its source text; None where there is none, as for built-in functions."""
    while isinstance(live, partial):
        live = live.func
    known: object = live if inspect.isroutine(live) or inspect.isclass(live) else type(live)
    try:
        # Notebooks keep the text of their cells, which are in no file.
        # Of a lambda it is the whole statement.
        return _without_resume(inspect.getsource(inspect.unwrap(known)))  # type: ignore[arg-type]
    except (OSError, TypeError, ValueError, SyntaxError, TokenError):  # the last two: its file was changed meanwhile
        return None


def _without_resume(text: str) -> str:
    """The code without the argument `resume` of `vivavoce.run`: a program that asks to resume is the same program."""
    if "vivavoce" not in text:
        return text
    try:
        tree = ast.parse(dedent(text))
        functions = set(_names_of_runs(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in functions:
                node.keywords = [keyword for keyword in node.keywords if keyword.arg != "resume"]
        return ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError):  # no Python, or part of a statement
        return text


def _names_of_runs(tree: ast.AST) -> Iterator[str]:
    """How the code may call `vivavoce.run`, by what it imports."""
    modules = ["vivavoce"]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [name.asname for name in node.names if name.name == "vivavoce" and name.asname]
        elif isinstance(node, ast.ImportFrom) and node.module == "vivavoce":
            yield from (name.asname or name.name for name in node.names if name.name in _RUNS)
    yield from (f"{module}.{function}" for module in modules for function in _RUNS)


def _loaded_files(root: Path) -> Iterator[Path]:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str):
            continue
        path = Path(os.path.abspath(file))
        if path.is_relative_to(root) and _INSTALLED.isdisjoint(path.relative_to(root).parts) and path.is_file():
            yield path
