"""The rules of ARCHITECTURE.md: layers, names, light start-up."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

SRC = Path(__file__).parents[2] / "src" / "vivavoce"
GROUND = {"model": set[str](), "errors": {"model"}, "version": set[str]()}
"""Plain data and errors: everybody may import these. Folder → what else it may import."""
SHARED = {
    "wording": set[str](),
    "containment": {"wording"},
    "notation": {"containment", "wording"},
    "statistics": set[str](),
    "net": {"wording"},
    "project": {"containment", "notation"},
    "metering": {"notation", "project"},
    "protocols": {"metering", "net", "project", "snapshots"},
    "plugins": {"containment", "notation", "project", "protocols"},
    "configuration": {"containment", "notation", "plugins", "project", "scripts"},
    "model_wires": {"net", "notation", "protocols", "wording"},
    "calling": {"containment", "metering", "notation", "plugins", "project", "protocols"},
    "scripts": {"containment", "metering", "project"},
    "script_testing": {"containment", "notation", "plugins", "project", "protocols", "scripts", "wording"},
    "workspaces": {"project"},
    "snapshots": {"containment", "notation", "project"},
    "results": {"containment", "project", "statistics", "wording"},
}
"""Shared ground. No two of its folders import each other, directly or in a circle."""
ROOMS = {"sources", "imports", "targets", "connectors", "speakers", "assertions", "executors", "reporters", "sight"}
"""Rooms import the shared ground, never each other."""
EDGES = {"", "api", "cli", "mcp_server", "pytest_plugin", "viewer"}
LEVELS = ({*GROUND}, {*SHARED}, ROOMS, {"engine"}, {"insight"}, {"app"}, EDGES)
"""From the bottom up; "" is the front door, vivavoce/__init__.py. Whoever is not in here has no place yet."""
DATA = {"examples", "prompts"}
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
BROAD_EXCEPTS_ALLOWED = {
    "engine/attempt/judging.py",
    "engine/attempt/attempt.py",
    "cli/main.py",
    "containment/daemon_threads.py",
}
SWALLOWING_EXITS_ALLOWED = {"errors.py", "pytest_plugin/repeating.py"}
"""`__exit__` methods that may keep an error to themselves: a list of problems keeps it, a repeated test counts it."""
EVERYTHING = ("Exception", "BaseException")
MOST_ANY_PER_THOUSAND_LINES = 20
LONGEST_FILE, LONGEST_FUNCTION, MEDIAN_FILE = 350, 60, 110


def modules() -> Iterator[Path]:
    return (path for path in SRC.rglob("*.py"))


def room_of(module: str) -> str:
    """`vivavoce.targets.ag_ui.target` → `targets`; plain modules of the package are shared ground."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def level_of(room: str) -> int:
    return next(number for number, rooms in enumerate(LEVELS) if room in rooms)


def keeps_everything(handler: ast.ExceptHandler) -> bool:
    """Returns True for a handler that catches every exception and does not raise it again."""
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    last = handler.body[-1]
    raised_again = isinstance(last, ast.Raise) and last.exc is None
    return not raised_again and any(
        name is None or (isinstance(name, ast.Name) and name.id in EVERYTHING) for name in named
    )


def swallows(exit_method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it may return something true, which ends the error it was called with."""
    returned = [node.value for node in ast.walk(exit_method) if isinstance(node, ast.Return)]
    return any(value is not None and not (isinstance(value, ast.Constant) and not value.value) for value in returned)


class Seen(NamedTuple):
    """What the rules ask of a file, from one reading of it."""

    imports: set[str]
    catches_everything: bool
    swallows_in_exit: bool
    suppresses_everything: bool
    long_functions: list[str]
    texts: set[str]


@cache
def seen_in(path: Path) -> Seen:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    suppressing = [
        node
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "suppress"
    ]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return Seen(
        imports={name for name in imported if name.startswith("vivavoce")},
        catches_everything=any(isinstance(node, ast.ExceptHandler) and keeps_everything(node) for node in nodes),
        swallows_in_exit=any(one.name in ("__exit__", "__aexit__") and swallows(one) for one in functions),
        suppresses_everything=any(
            isinstance(argument, ast.Name) and argument.id in EVERYTHING
            for node in suppressing
            for argument in node.args
        ),
        long_functions=[one.name for one in functions if (one.end_lineno or 0) - one.lineno >= LONGEST_FUNCTION],
        texts={node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)},
    )


def module_name(path: Path) -> str:
    parts = path.relative_to(SRC.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_folder_and_module_has_a_place_in_the_plan():
    found = {path.stem for path in SRC.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert found - {"__init__", "__main__", "__pycache__"} - DATA == set().union(*LEVELS) - {""}


def test_imports_go_down_and_rooms_never_import_each_other():
    wrong = {
        f"{path.relative_to(SRC)} imports {imported}: {why}"
        for path in modules()
        for imported in seen_in(path).imports
        if (why := why_not(room_of(module_name(path)), imported))
    }
    assert wrong == set()


def why_not(here: str, imported: str) -> str:
    """What speaks against an import; nothing when it is allowed."""
    there = room_of(imported)
    if here in DATA | {"__main__", there} or imported == "vivavoce" or (there in GROUND and here not in GROUND):
        return ""
    if here in GROUND or here in SHARED:
        return "" if there in {**GROUND, **SHARED}[here] else f"{here} may not import {there}"
    if level_of(there) > level_of(here):
        return "it reaches up"
    return "a room imports another room" if there in ROOMS and here in ROOMS else ""


@pytest.mark.parametrize("folder", sorted({str(path.relative_to(SRC).parent) for path in SRC.rglob("*/__init__.py")}))
def test_no_two_folders_beside_each_other_import_each_other_not_even_in_a_circle(folder: str):
    """`folder` holds the folders that are compared: those of `.` are the rooms, those of `sight` its parts."""
    around = SRC / folder
    imports: dict[str, set[str]] = {}
    for path in around.rglob("*.py"):
        here = path.relative_to(around).parts[0].removesuffix(".py")
        beside = (SRC.parent / imported.replace(".", "/") for imported in seen_in(path).imports)
        there = {one.relative_to(around).parts[0] for one in beside if one != around and one.is_relative_to(around)}
        imports.setdefault(here, set()).update(there - {here})
    parts = {name for name in imports if (around / name).is_dir() or folder == "."}
    imports = {name: imports[name] & parts for name in parts}

    def reachable(part: str, seen: set[str]) -> set[str]:
        for there in imports[part] - seen:
            seen |= {there} | reachable(there, seen | {there})
        return seen

    for part in sorted(parts):
        assert part not in reachable(part, set()), f"{part} imports itself through others"


def test_no_module_has_a_name_that_says_nothing():
    assert [path for path in modules() if path.stem in BANNED_NAMES] == []


def where(is_meant: Callable[[Seen], bool]) -> set[str]:
    return {str(path.relative_to(SRC)) for path in modules() if is_meant(seen_in(path))}


def test_broad_excepts_stand_only_where_everything_must_be_caught():
    assert where(lambda seen: seen.catches_everything) == BROAD_EXCEPTS_ALLOWED


def test_exit_methods_swallow_errors_only_where_that_is_their_purpose():
    assert where(lambda seen: seen.swallows_in_exit) == SWALLOWING_EXITS_ALLOWED


def test_everything_is_suppressed_nowhere():
    assert where(lambda seen: seen.suppresses_everything) == set()


def test_any_is_rare():
    """JSON data has a name of its own (`JsonValue`); everywhere else there is a type."""
    texts = [path.read_text() for path in modules()]
    lines = sum(text.count("\n") for text in texts)
    assert sum(len(re.findall(r"\bAny\b", text)) for text in texts) < MOST_ANY_PER_THOUSAND_LINES * lines / 1000


def test_files_and_functions_are_short():
    lengths = {str(path.relative_to(SRC)): len(path.read_text().splitlines()) for path in modules()}
    assert {name for name, length in lengths.items() if length > LONGEST_FILE} == set()
    assert sorted(lengths.values())[len(lengths) // 2] <= MEDIAN_FILE
    too_long = {f"{path.relative_to(SRC)}:{name}" for path in modules() for name in seen_in(path).long_functions}
    assert too_long == set()


@pytest.mark.parametrize("statement", ["import vivavoce", "import vivavoce.cli.main", "import vivavoce.protocols"])
def test_start_up_pulls_in_nothing_heavy(statement: str):
    code = f"import sys; {statement}; print(' '.join(sorted({{m.partition('.')[0] for m in sys.modules}})))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert HEAVY.isdisjoint(loaded)


NOT_FOR_A_PLAIN_RUN = HEAVY | {
    "dataclasses",
    "email",
    "html",
    "urllib.request",
    "vivavoce.assertions.agent",
    "vivavoce.assertions.javascript",
    "vivavoce.assertions.lookup",
    "vivavoce.configuration.config_check",
    "vivavoce.engine.attempt.workspace",
    "vivavoce.notation.yaml_writer",
    "vivavoce.reporters.terminal.turn_tree",
    "vivavoce.sources.named_workspaces",
    "vivavoce.workspaces.changes",
    "yarl",
}
"""What a run of one case against a Python function has no use for."""


def test_a_plain_run_imports_only_what_it_uses(tmp_path: Path):
    (tmp_path / "agent.py").write_text("def agent(messages):\n    return 'pong'\n")
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "vivavoce",
        "test",
        "-i",
        "ping me",
        "-n",
        "python:agent.py:agent",
    ]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr
    loaded = set(re.findall(r"^import time:.*\| +(\S+)$", told, re.MULTILINE))
    assert "vivavoce.engine.attempt.attempt" in loaded
    assert NOT_FOR_A_PLAIN_RUN & loaded == set()


@pytest.mark.parametrize("asked", ["--help", "-h", "--version"])
def test_the_help_and_the_version_are_shown_before_anything_is_loaded(asked: str):
    code = (
        f"import sys; sys.argv[1:] = ['{asked}']; before = set(sys.modules);"
        "from vivavoce.cli.entry import main; main(); print(*sorted(set(sys.modules) - before))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(shown.splitlines()[-1].split())
    assert shown.startswith(("Usage: viva", "viva "))
    assert loaded - LOADED_FOR_THE_HELP == set()


LOADED_FOR_THE_HELP = {
    "atexit",
    "gc",
    "vivavoce",
    "vivavoce.cli",
    "vivavoce.cli.entry",
    "vivavoce.cli.help_page",
    "vivavoce.containment",
    "vivavoce.containment.early_interrupt",
    "vivavoce.containment.standard_descriptors",
    "vivavoce.version",
}


def test_agents_are_called_without_aiohttp():
    """It is for viva's servers. Its import costs more than all of viva's, and it loads the machine's certificates."""
    importing = re.compile(r"^ *(?:import|from) aiohttp\b", re.MULTILINE)
    rooms = ("net", "targets", "connectors", "assertions", "engine")
    found = [path for room in rooms for path in (SRC / room).rglob("*.py") if importing.search(path.read_text())]
    assert found == []


KINDS_ELSEWHERE = {
    "api/checking.py": {"script"},  # the assertion
    "app": {"script_tests"},  # where cases come from
    "assertions/world_http.py": {"http"},  # the scheme of an address
    "cli/commands/mcp.py": {"mcp"},  # the name of the command
    "cli/help_page.py": {"mcp"},  # the name of the command
    "cli/commands/init.py": {"agui", "openai", "package", "python"},  # names of the example projects
    "engine/attempt/closing.py": {"script"},  # the assertion
    "engine/plan/case_checks.py": {"script"},  # the assertion
    "engine/plan/case_names.py": {"script", "cmd"},  # the assertion, an answer of a stub; a field of checks
    "engine/plan/config_checks.py": {"cmd"},  # the field of `serve`
    "engine/plan/generating.py": {"script"},  # where generated cases come from
    "imports": {"python", "openai", "script"},  # words of other tools
    "net": {"http"},  # the scheme
    "notation/json_text.py": {"python"},  # the label of a code fence
    "model/case.py": {"script_tests:"},  # how a script test names its own file
    "notation/other_tools.py": {"python"},  # an assertion of promptfoo
    "notation/tool_stubs.py": {"script"},  # a stub's answer
    "project/programs.py": {"cmd"},  # the field of `serve` and of MCP servers too
    "sight/mocks/mocked_tools.py": {"script"},  # an answer of a mock
    "mcp_server/mock/own_responder.py": {"script"},  # an answer of a mock
    "sight": {"openai", "anthropic", "http", "mcp"},  # model providers; kinds of exchanges
    "sources": {"script", "script_tests", "cmd"},  # where cases come from; assertions; hooks
    "wording/results.py": {"script"},  # the assertion
}
"""Words that are also names of kinds of agents, where they mean something else."""


def test_kinds_of_agents_are_named_only_in_their_room_and_in_the_catalog():
    from vivavoce.plugins.catalog import TARGETS

    kinds = {TARGETS.load(prefix).name for prefix in TARGETS.built_in}
    named: set[tuple[str, str]] = set()
    for path in modules():
        name = str(path.relative_to(SRC))
        if name.startswith(("targets/", "connectors/", "examples/")) or name == "plugins/catalog.py":
            continue
        allowed = KINDS_ELSEWHERE.get(name, KINDS_ELSEWHERE.get(name.partition("/")[0], set()))
        texts = seen_in(path).texts - allowed
        named |= {(name, kind) for kind in kinds if texts & {kind, f"{kind}:"}}
    assert named == set()


def test_the_architecture_page_fits_on_one_screen():
    assert len((SRC.parents[1] / "ARCHITECTURE.md").read_text().splitlines()) <= 60
