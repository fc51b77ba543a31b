"""The exam of a run: everything that decides its results besides the cases, gathered and hashed."""

import msgspec
from msgspec import structs

from vivavoce.app.planning import Planned
from vivavoce.engine.agent_files import content_of, environment_named_in, files_below, files_named_in
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.results.exam import RULES, ExamKey, agent_part, exam_key

_SETTINGS = ("on_missing_input", "max_turns", "strict_protocol", "simulator", "interactive")


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
        **{name: getattr(settings, name) for name in _SETTINGS},
        "variables": [variables, environment_named_in(variables)],
        "context": structs.asdict(settings.context),
        "connectors": [connectors, environment_named_in(connectors)],
        "hooks": [request.before, request.after],
    }
    for name in sorted(resources.agents_in_use()):
        parts |= _agent_parts(name, resources)
    return key.hashes(parts)


def _agent_parts(name: str, resources: RunResources) -> JsonObject:
    try:
        spec = resources.spec(name)
    except VivaError:
        return {}
    # A live object has no configuration: its name says which it is.
    config = {field: value for field, value in spec.config.items() if not callable(value)}
    shown = resources.secrets.mask(name)
    return {
        agent_part("configuration", shown): [spec.kind, config],
        agent_part("environment", shown): environment_named_in(config),
        agent_part("source", shown): [content_of(path) for path in files_named_in(config, resources.project)],
    }
