"""The exam of a run: everything that decides its results besides the cases, gathered and hashed."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import structs

from vivavoce.app.planning import Planned
from vivavoce.engine.agent_files import content_of, environment_named_in, files_below, files_named_in
from vivavoce.engine.plan.plan import Plan
from vivavoce.engine.run_settings import RunSettings
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.project.project import Project
from vivavoce.project.run_options import AttemptOptions
from vivavoce.results.exam import RULES, ExamKey, agent_part, exam_key

SETTINGS_LEFT_OUT = {
    "options": "those that decide results are parts by their own names",
    "agent": "the agents of the cases are compared one by one",
    "contenders": "each result says whose it is",
    "connector": "a file of another one is refused",
    "identity": "a file of another one is refused",
    "context": "has a part of its own",
    "record_to": "keeps answers and decides nothing",
}
"""The fields of RunSettings that are no part of the exam by themselves, and why. Every other one is."""
OPTIONS_LEFT_OUT = {"before", "after", "strict_protocol"}
"""The options that have a part of their own: the hooks of the run, and the protocol."""
CONFIG_LEFT_OUT = {
    "tests": "says which cases run; they are compared one by one",
    "agent": "the agents of the cases are compared one by one",
    "agents": "those in use are compared one by one",
    "target": "is an agent",
    "connectors": "have a part of their own",
    "variables": "have a part of their own",
    "identity": "a file of another one is refused",
    "run": "holds options, which are settings",
    "defaults": "are filled into the cases",
    "coverage": "is about recorded runs",
    "fuzz": "is about viva fuzz",
    "assistants": "says where agents lie; they are compared one by one",
    "connectors_dir": "says where connectors lie; they are compared",
    "scripts": "says where scripts lie; they are compared",
}
"""The same of viva.yaml."""


def exam_of(planned: Planned) -> dict[str, str]:
    """Part → keyed hash, for the first line of the result file; empty where there is no place for a key."""
    key = exam_key(planned.resources.project.state_dir)
    return {} if key is None else _hashed(planned, key)


def _hashed(planned: Planned, key: ExamKey) -> dict[str, str]:
    resources, request = planned.resources, planned.request
    project, settings = resources.project, resources.settings
    files = [content_of(path) for path in files_below(project.connectors_dir, project)]
    connectors: JsonValue = [msgspec.to_builtins(project.config.connectors), files]
    variables: JsonValue = dict(project.config.variables)
    parts: JsonObject = {
        "rules": RULES,
        **setting_parts(settings),
        **option_parts(settings.options),
        "strict_protocol": settings.options.strict_protocol,
        **config_parts(project),
        "variables": [variables, environment_named_in(variables)],
        "environment": planned.plan.environment(),
        "context": structs.asdict(settings.context),
        "connectors": [connectors, environment_named_in(connectors)],
        "case_files": _case_files(planned.plan, project),
        "hooks": [request.before, request.after],
        "scripts": _contents(files_below(project.scripts_dir, project)),
    }
    in_use = resources.agents_in_use()
    for name in sorted(in_use):
        parts |= _agent_parts(name, resources)
    parts["helpers"] = [_agent_parts(name, resources) for name in sorted(resources.agents_looked_up() - in_use)]
    return key.hashes(parts)


def setting_parts(settings: RunSettings) -> JsonObject:
    """Every setting of a run that decides results, by its name."""
    return {name: value for name, value in structs.asdict(settings).items() if name not in SETTINGS_LEFT_OUT}


def option_parts(options: AttemptOptions) -> JsonObject:
    """Every option that decides results and is no part already, by its name.

    Its default is left out, so that an option which is added later makes no older result stale.
    """
    parts = {name.removesuffix("_s") for name in RunSettings.__struct_fields__} | OPTIONS_LEFT_OUT
    decisive = [one for one in type(options).declared if one.decides_result and one.name not in parts]
    said = {one.name: getattr(options, one.name) for one in decisive}
    return {one.name: said[one.name] for one in decisive if said[one.name] != one.default}


def config_parts(project: Project) -> JsonObject:
    """Every part of viva.yaml that decides results of all cases."""
    written = structs.asdict(project.config)
    parts = {f"{name} in viva.yaml": value for name, value in written.items() if name not in CONFIG_LEFT_OUT}
    named = project.config.plugins
    files = [named] if isinstance(named, str) else named
    return {**parts, "plug-ins": _contents(project.root / file for file in files)}


def _contents(paths: Iterable[Path]) -> JsonValue:
    return [content_of(path) for path in paths]


def _case_files(plan: Plan, project: Project) -> JsonValue:
    """The content of attachments, workspaces and scripts of hooks that cases name."""
    named = set[tuple[str, str]]() if plan.checked is None else plan.checked.files
    found = set[Path]()
    for origin, text in named:
        for path in (project.root / os.path.dirname(origin) / text, project.root / text):
            found.update([path] if os.path.isfile(path) else files_below(path, project))
    return [[os.path.relpath(path, project.root), _digest(path)] for path in sorted(found)]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return str(error)


def _agent_parts(name: str, resources: RunResources) -> JsonObject:
    try:
        spec = resources.spec(name)
    except VivaError:
        return {}
    # A live object has no configuration: its name says which it is.
    config = {field: value for field, value in spec.config.items() if not callable(value)}
    shown = resources.secrets.mask(name)
    source = _contents(files_named_in(config, resources.project))
    return {
        agent_part("configuration", shown): [spec.kind, config],
        agent_part("environment", shown): environment_named_in([config, source]),
        agent_part("source", shown): source,
    }
