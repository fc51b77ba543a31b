"""`expense.setup` → the file with its tests, and the test functions in it, without importing anything."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.project.files import read_text
from vivavoce.project.packages import list_packages, package_dir, package_id
from vivavoce.project.project import Project
from vivavoce.scripts.finder import same_name

_TEST_NAME = re.compile(r"Test\w*|test_\w+")


class FoundTest(Struct, frozen=True):
    """A test function as it stands in its file."""

    name: str
    line: int
    description: str | None = None


def find_test_file(ref: str, project: Project) -> Path:
    """`expense.setup` is `assistants/expense/src/setup_test.py`; `-` and `_` are alike."""
    agent, _, module = ref.rpartition(".")
    folder = package_dir(agent, project) / "src"
    wanted = f"{module.removesuffix('_test')}_test"
    candidates = sorted(folder.glob("*_test.py")) if folder.is_dir() else []
    for file in candidates:
        if same_name(file.stem, wanted):
            return file
    expected = project.shown(folder / f"{wanted.replace('-', '_')}.py")
    raise UsageError(f"no script tests {ref!r}: there is no {expected}", hint=_hint(agent, module, candidates, project))


def read_tests(path: Path, shown: str) -> Iterator[FoundTest | UsageError]:
    """Every `Test*` and `test_*` function of a file, in order."""
    try:
        tree = ast.parse(read_text(path), filename=shown)
    except SyntaxError as error:
        yield UsageError(f"syntax error: {error.msg}", at=Origin(shown, error.lineno or 0))
        return
    except (UsageError, ValueError) as error:
        yield error if isinstance(error, UsageError) else UsageError(f"not Python: {error}", at=shown)
        return
    seen: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _has_tests(node):
            what = f"the tests of class {node.name} would never run: script tests are functions only"
            yield UsageError(what, at=Origin(shown, node.lineno), hint="move them out of the class")
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not _TEST_NAME.fullmatch(node.name):
            continue
        if node.name in seen:
            # Python keeps the last one only: the other would never run, and nobody would notice.
            what = f"{node.name} is defined again; the one in line {seen[node.name]} would never run"
            yield UsageError(what, at=Origin(shown, node.lineno))
            continue
        seen[node.name] = node.lineno
        told = (ast.get_docstring(node) or "").partition("\n")[0].strip()
        yield FoundTest(node.name, node.lineno, told or None)
    if not seen:
        yield UsageError("no tests in this file", at=shown, hint="write functions named Test… or test_…")


def _has_tests(node: ast.ClassDef) -> bool:
    return any(
        isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and _TEST_NAME.fullmatch(inner.name)
        for inner in node.body
    )


def _hint(agent: str, module: str, candidates: list[Path], project: Project) -> str | None:
    if candidates:
        modules = [file.stem.removesuffix("_test") for file in candidates]
        return did_you_mean(module, modules) or f"there are tests for {', '.join(modules)}"
    known = [package_id(folder, project) for folder in list_packages(project)]
    if agent.removeprefix("assistants.") in known:
        return f"{os.path.join('src', '')} of {agent} has no *_test.py"
    return did_you_mean(agent, known) if known else None
