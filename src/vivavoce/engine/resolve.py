"""An agent's name as the user wrote it → a target as plain data."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Case
from vivavoce.notation.references import SCRIPT_TESTS, parse_params
from vivavoce.project.packages import list_packages, package_dir, package_id
from vivavoce.project.project import PACKAGE_FILE, Project, nearest_package
from vivavoce.project.settings import AgentConfig
from vivavoce.protocols import TargetSpec

KINDS_BY_PREFIX = {
    "agui": "agui",
    "agui-replay": "agui-replay",
    "openai": "openai",
    "python": "python",
    "cmd": "cmd",
    "scripts": "script",
    "script_tests": "script_tests",
    "package": "package",
}
SHIPPED = Path(__file__).parent.parent / "prompts"


def resolve_agent(name: str, project: Project) -> TargetSpec:
    """Named agents first, then `kind:` references, packages, and the agents viva ships."""
    name = name.removeprefix("agents:")
    if name in project.config.agents:
        return _named(name, project.config.agents[name], project)
    prefix, colon, rest = name.partition(":")
    if colon and prefix in KINDS_BY_PREFIX:
        return _from_reference(name, KINDS_BY_PREFIX[prefix], rest)
    if name == "target" and project.config.target is not None:
        return _legacy(project)
    if (folder := _package_folder(name, project)) is not None:
        return TargetSpec(id=_id_of(folder, project), kind="package", config={"package": str(folder)})
    raise UsageError(f"unknown agent {name!r}", hint=_meant(name, known_agents(project)))


def _meant(name: str, known: list[str]) -> str:
    if name.startswith(_WEB):
        return f"say how it is spoken to: agui:{name} or openai:{name}?model=…"
    if _LIKE_PYTHON.fullmatch(name):
        return f"a Python function is python:{name if ':' in name else f'{name}:FUNCTION'}"
    return did_you_mean(name, known) or (f"known: {', '.join(known)}" if known else _HOW_TO_NAME_ONE)


def refuse_bad_address(spec: TargetSpec, filled: Mapping[str, Any]) -> None:
    """Raises UsageError where an agent can never be reached. A `${VAR}` that is not filled in yet is left alone."""
    written, address = spec.config.get(spec.kind), filled.get(spec.kind)
    if spec.kind not in ("agui", "openai") or not isinstance(address, str) or "${" in address:
        return
    try:
        parts = urlsplit(address)
        bad = not (address.startswith(_WEB) and parts.hostname) or parts.port == 0
    except ValueError:
        bad = True
    if bad:
        raise UsageError(f"agent {spec.id!r}: not an address: {written!r}", hint="write it like https://host/path")


_WEB = ("http://", "https://")
_LIKE_PYTHON = re.compile(r"[^\s:?]+\.py|[^\s:?]+:[A-Za-z_][\w.]*")
_HOW_TO_NAME_ONE = "name one like agui:URL, openai:URL?model=M or python:module:function, or add it to viva.yaml"


def agent_for(case: Case, flag: str | None, project: Project) -> str:
    """Which agent a case examines: flag > case > nearest package > the project's default."""
    if case.agent is not None and case.agent.startswith(SCRIPT_TESTS):
        return case.agent  # it is the test's own file; -n can only mean the other cases
    if flag or case.agent:
        return flag or case.agent or ""
    file = here() / case.origin.path
    package = nearest_package(file.parent if file.is_file() else here())
    if package is not None:
        return str(package)
    if project.config.agent:
        return project.config.agent
    if project.config.target is not None:
        return "target"
    if len(project.config.agents) == 1:
        return next(iter(project.config.agents))
    raise UsageError(
        "no agent to examine", at=case.origin, hint=f"give -n AGENT, in Python agent=…; {_HOW_TO_NAME_ONE}"
    )


def known_agents(project: Project) -> list[str]:
    """Every name that resolves: the configured agents and the packages found."""
    packages = [package_id(folder, project) for folder in list_packages(project)]
    return [*project.config.agents, *packages]


def _named(name: str, config: AgentConfig, project: Project) -> TargetSpec:
    kinds = [kind for kind in ("agui", "openai", "python", "cmd", "package", "script") if getattr(config, kind)]
    if len(kinds) != 1:
        found = f"it has {' and '.join(kinds)}" if kinds else "it has none"
        raise UsageError(
            f"agent {name!r} needs exactly one of agui, openai, python, cmd, package, script; {found}",
            at=str(project.config_path or ""),
        )
    plain = msgspec.to_builtins(config)
    if kinds[0] == "package" and (folder := _package_folder(plain["package"], project)) is not None:
        plain["package"] = str(folder)
    return TargetSpec(id=name, kind=kinds[0], config=plain)


def _legacy(project: Project) -> TargetSpec:
    target = project.config.target
    assert target is not None
    return TargetSpec(id=target.endpoint, kind="agui", config={"agui": target.endpoint, "headers": target.headers})


def _from_reference(name: str, kind: str, rest: str) -> TargetSpec:
    if not rest:
        raise UsageError(f"the agent reference {name!r} names nothing", hint=_HOW_TO_NAME_ONE)
    if kind == "openai":
        url, _, query = rest.partition("?")
        params = parse_params(query)
        model = params.pop("model", None)
        return TargetSpec(id=name, kind=kind, config={"openai": url, "model": model, "options": params})
    return TargetSpec(id=name, kind=kind, config={kind: rest})


def _package_folder(name: str, project: Project) -> Path | None:
    folder = package_dir(name, project)
    if (folder / PACKAGE_FILE).is_file():
        return folder
    if "/" in name or name.startswith("."):
        for folder in (project.root / name, here() / name):
            if (folder / PACKAGE_FILE).is_file():
                return folder
    if name.startswith("viva.") and (shipped := SHIPPED / name.removeprefix("viva.") / PACKAGE_FILE).is_file():
        return shipped.parent
    return None


def _id_of(folder: Path, project: Project) -> str:
    return f"viva.{folder.name}" if folder.parent == SHIPPED else package_id(folder, project)
