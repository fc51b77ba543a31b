"""The house stays as ARCHITECTURE.md draws it: layers, names, light start-up."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "vivavoce"
ROOMS = {"sources", "targets", "connectors", "speakers", "assertions", "executors", "reporters", "history"}
EDGES = {"", "api", "cli", "pytest_plugin", "viewer"}  # "": the front door, vivavoce/__init__.py
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "types", "misc"}
HEAVY = {
    "aiohttp",
    "rich",
    "yaml",
    "pydantic",
    "openai",
    "ray",
    "mcp",
    "jsonschema",
    "rapidfuzz",
    "jinja2",
    "playwright",
}
BROAD_EXCEPTS_ALLOWED = {"run/judging.py", "run/attempt.py", "cli/main.py"}


def modules() -> Iterator[Path]:
    return (path for path in SRC.rglob("*.py"))


def room_of(module: str) -> str:
    """`vivavoce.targets.ag_ui.target` → `targets`; plain modules of the package are shared ground."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def layer_of(room: str) -> int:
    if room == "model":
        return 0
    if room in ROOMS:
        return 2
    if room == "run":
        return 3
    return 4 if room in EDGES else 1


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name for name in found if name.startswith("vivavoce")}


def module_name(path: Path) -> str:
    parts = path.relative_to(SRC.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", sorted(modules()), ids=lambda p: str(p.relative_to(SRC)))
def test_imports_go_down_and_rooms_never_import_each_other(path: Path):
    here = room_of(module_name(path))
    for imported in imports_of(path):
        there = room_of(imported)
        if there == here or imported in ("vivavoce", "vivavoce.version"):
            continue
        assert layer_of(there) <= layer_of(here), f"{path.name} reaches up to {imported}"
        assert not (there in ROOMS and here in ROOMS), f"the room {here} imports the room {there}: {imported}"


def test_no_module_has_a_name_that_says_nothing():
    assert [path for path in modules() if path.stem in BANNED_NAMES] == []


def keeps_everything(handler: ast.ExceptHandler) -> bool:
    """Whether it catches whatever comes, be it as one of several, and does not raise it again."""
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    last = handler.body[-1]
    raised_again = isinstance(last, ast.Raise) and last.exc is None
    return not raised_again and any(
        name is None or (isinstance(name, ast.Name) and name.id in ("Exception", "BaseException")) for name in named
    )


def test_broad_excepts_stand_only_where_everything_must_be_caught():
    broad = {
        str(path.relative_to(SRC))
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler) and keeps_everything(node)
    }
    assert broad == BROAD_EXCEPTS_ALLOWED


@pytest.mark.parametrize("statement", ["import vivavoce", "import vivavoce.cli.main", "import vivavoce.protocols"])
def test_start_up_pulls_in_nothing_heavy(statement: str):
    code = f"import sys; {statement}; print(' '.join(sorted({{m.partition('.')[0] for m in sys.modules}})))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert HEAVY.isdisjoint(loaded)


def test_the_architecture_page_fits_on_one_screen():
    assert len((SRC.parents[1] / "ARCHITECTURE.md").read_text().splitlines()) <= 60
