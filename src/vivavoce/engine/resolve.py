"""An agent's name as the user wrote it → a target as plain data."""

from collections.abc import Mapping

from vivavoce.containment.working_folder import here
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.plugins.catalog import LEGACY_KIND, PACKAGE_KIND, TARGETS
from vivavoce.plugins.declarations import TargetKind
from vivavoce.project.packages import find_package, list_packages, nearest_package, package_id
from vivavoce.project.project import Project
from vivavoce.project.settings import AgentConfig
from vivavoce.protocols import TargetSpec

LEGACY_AGENT = "target"
"""The name of the agent that seed 001's `target:` configures."""


def resolve_agent(name: str, project: Project) -> TargetSpec:
    """Named agents first, then `kind:` references, packages, and the agents viva ships."""
    name = name.removeprefix("agents:")
    if name in project.config.agents:
        return _named(name, project.config.agents[name])
    prefix, colon, rest = name.partition(":")
    if colon and prefix in TARGETS and TARGETS.load(prefix).by_reference:
        return _from_reference(name, TARGETS.load(prefix), rest)
    if name == LEGACY_AGENT and project.config.target is not None:
        return _legacy(project)
    if (folder := find_package(name, project)) is not None:
        return TargetSpec(id=package_id(folder, project), kind=PACKAGE_KIND, config={PACKAGE_KIND: str(folder)})
    raise UsageError(f"unknown agent {name!r}", hint=_meant(name, known_agents(project)))


def refuse_bad_address(spec: TargetSpec, filled: Mapping[str, JsonValue]) -> None:
    """Raises UsageError where an agent can never be reached. `filled` are its fields with the variables put in."""
    check = TARGETS.load(spec.kind).check_address
    if check is not None:
        check(spec, filled)


def _meant(name: str, known: list[str]) -> str:
    """Returns a hint for an unknown name: the nearest known one, or how to write one."""
    prefix, colon, _ = name.partition(":")
    prefixes = sorted(known for known in TARGETS if TARGETS.load(known).by_reference)
    if colon and (hint := did_you_mean(prefix, prefixes)):
        return hint
    guesses = [kind.guess(name) for kind in _near_kinds() if kind.guess is not None]
    if found := [guess for guess in guesses if guess]:
        return f"did you mean {' or '.join(found)}?"
    return did_you_mean(name, known) or (f"known: {', '.join(known)}" if known else _how_to_name_one())


def _near_kinds() -> list[TargetKind]:
    return [TARGETS.load(name) for name in TARGETS.near()]


def _how_to_name_one() -> str:
    *first, last = [kind.example for kind in _near_kinds() if kind.example]
    return f"name one like {', '.join(first)} or {last}, or add it to viva.yaml"


def agent_for(case: Case, flag: str | None, project: Project) -> str:
    """Which agent a case examines: flag > case > nearest package > the project's default."""
    if case.is_script_test:
        return case.agent or ""  # a script test names its own file: -n is for the other cases
    if flag or case.agent:
        return flag or case.agent or ""
    file = here() / case.origin.path
    package = nearest_package(file.parent if file.is_file() else here())
    if package is not None:
        return str(package)
    if project.config.agent:
        return project.config.agent
    if project.config.target is not None:
        return LEGACY_AGENT
    if len(project.config.agents) == 1:
        return next(iter(project.config.agents))
    how = f"give -n AGENT; {_how_to_name_one()}"
    raise UsageError("no agent to examine", at=case.origin, hint=how)


def known_agents(project: Project) -> list[str]:
    """Returns the names of all configured agents and packages, each once."""
    packages = [package_id(folder, project) for folder in list_packages(project)]
    return list(dict.fromkeys((*project.config.agents, *packages)))


def _named(name: str, config: AgentConfig) -> TargetSpec:
    limits = {"max_parallel": config.max_parallel, "rate": config.rate}
    set_limits = {limit: value for limit, value in limits.items() if value is not None}
    return TargetSpec(id=name, kind=config.kind, config={**config.fields, **set_limits})


def _legacy(project: Project) -> TargetSpec:
    target = project.config.target
    assert target is not None
    return TargetSpec(
        id=target.endpoint, kind=LEGACY_KIND, config={LEGACY_KIND: target.endpoint, "headers": target.headers}
    )


def _from_reference(name: str, kind: TargetKind, rest: str) -> TargetSpec:
    if not rest:
        raise UsageError(f"the agent reference {name!r} names nothing", hint=_how_to_name_one())
    config = {kind.name: rest} if kind.read_reference is None else kind.read_reference(rest)
    return TargetSpec(id=name, kind=kind.name, config=config)


def shows_calls(spec: TargetSpec, kind: TargetKind) -> bool | None:
    """Returns `shows_calls:` of the agent when set, else False for a kind that never shows calls, else None."""
    said = spec.config.get("shows_calls")
    if said is not None:
        return bool(said)
    return False if kind.shows_calls == "never" else None
