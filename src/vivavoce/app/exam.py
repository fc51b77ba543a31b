"""The exam of a run: everything that decides its results besides the cases, gathered and hashed."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import structs

from vivavoce.app.planning import Planned
from vivavoce.engine.agent_files import content_of, environment_named_in, files_in, paths_in, sources_of
from vivavoce.engine.imported_files import with_imports
from vivavoce.engine.live_sources import live_source
from vivavoce.engine.plan.plan import Plan
from vivavoce.engine.run_settings import RunSettings
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue, iter_texts
from vivavoce.plugins.catalog import OBJECT_KIND
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
"""The fields of viva.yaml that are no part of the exam by themselves, and why."""


def exam_of(planned: Planned) -> dict[str, str]:
    """Part → keyed hash, for the first line of the result file; empty where there is no place for a key."""
    key = exam_key(planned.resources.project.state_dir)
    return {} if key is None else _hashed(planned, key)


def _hashed(planned: Planned, key: ExamKey) -> dict[str, str]:
    resources, request = planned.resources, planned.request
    project, settings = resources.project, resources.settings
    files = files_in(project.connectors_dir)
    connectors: JsonValue = [msgspec.to_builtins(project.config.connectors), _contents(files, project)]
    variables: JsonValue = dict(project.config.variables)
    parts: JsonObject = {
        "rules": RULES,
        **setting_parts(settings),
        **option_parts(settings.options),
        "strict_protocol": settings.options.strict_protocol,
        **config_parts(project),
        "variables": [variables, environment_named_in(variables)],
        "environment": planned.plan.names.environment(),
        "context": structs.asdict(settings.context),
        "connectors": [connectors, environment_named_in(connectors)],
        "case_files": _case_files(planned.plan, project),
        "hooks": [request.before, request.after, _sources({"hooks": [request.before, request.after]}, project)],
        "scripts": _contents(with_imports(files_in(project.scripts_dir), project.root), project),
        "tape_files": _tapes(settings, project),
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
    plugins = with_imports((project.root / file for file in files), project.root)
    return {**parts, "plug-ins": _contents(plugins, project)}


def _contents(paths: Iterable[Path], project: Project) -> JsonValue:
    return [[os.path.relpath(path, project.root), content_of(path)] for path in sorted(paths)]


def _sources(config: JsonObject, project: Project) -> JsonValue:
    """The content of the files that a configuration names: of the project, and of others by their full path."""
    outside = (Path(text) for text in iter_texts(config) if os.path.isabs(text) and os.path.isfile(text))
    return _contents({*sources_of(config, project), *outside}, project)


def _tapes(settings: RunSettings, project: Project) -> JsonValue:
    """The content of tapes that are only replayed. Where the run itself writes tapes, another one finds others."""
    if not settings.tapes.needs_no_keys:
        return None
    return [[os.path.relpath(path, project.root), _digest(path)] for path in files_in(Path(settings.tapes.folder))]


def _case_files(plan: Plan, project: Project) -> JsonValue:
    """The content of attachments, workspaces, scripts and commands that cases name, and of what those import."""
    found = set[Path]()
    for origin, text in plan.names.files:
        folder = project.root / os.path.dirname(origin)
        for path in paths_in(text, (folder, project.root)):
            if os.path.isfile(path):
                found.add(path)
            elif not folder.is_relative_to(path) and not project.root.is_relative_to(path):
                found.update(files_in(path))
    files = sorted(with_imports(found, project.root))
    return [[os.path.relpath(path, project.root), _digest(path)] for path in files]


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
    # A live object has no configuration: its code says which it is.
    config = spec.config
    shown = resources.secrets.mask(name)
    if spec.kind == OBJECT_KIND and not isinstance(live := config[OBJECT_KIND], str):
        config, source = {}, live_source(live, resources.project.root)
    else:
        source = _sources(config, resources.project)
    return {
        agent_part("configuration", shown): [spec.kind, config],
        agent_part("environment", shown): environment_named_in([config, source]),
        agent_part("source", shown): source,
    }
