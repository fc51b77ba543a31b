"""The agents of a run as plain hashes: the same agent has the same ones on every machine, and they hold no secret."""

from collections.abc import Iterable
from hashlib import blake2b

import msgspec
from msgspec import structs

from vivavoce.app.planning import Planned
from vivavoce.calling.connections import look_up_connector
from vivavoce.engine.agent_files import content_of, files_below, sources_of
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, map_texts
from vivavoce.model.result import AgentVersion, RunInfo
from vivavoce.notation.references import parse_params
from vivavoce.protocols import TargetSpec

_encode = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


def with_agents(info: RunInfo, planned: Planned) -> RunInfo:
    """Returns the run's head with the version of each agent, and which cases examine another than the first."""
    resources = planned.resources
    main = info.agent_id
    if contenders := resources.settings.contenders:
        return structs.replace(
            info,
            agents={one.label: version_of(one.agent, resources, one.connector) for one in contenders},
            agent_of={one.label: one.label for one in contenders},
        )
    versions: dict[str, AgentVersion] = {}
    agent_of: dict[str, str] = {}
    for (case_agent, file), name in resources.agents_by_place().items():
        agent = agent_id_of(name, resources)
        if agent not in versions:
            versions[agent] = version_of(name, resources)
        if agent != main:
            agent_of[resources.secrets.mask(case_agent) if case_agent else file] = agent
    return structs.replace(info, agents=versions, agent_of=agent_of)


def agent_id_of(name: str, resources: RunResources) -> str:
    """Returns the id by which the history knows an agent."""
    try:
        return resources.secrets.mask(resources.target(name).card.id)
    except VivaError:
        return resources.secrets.mask(name)


def version_of(name: str, resources: RunResources, connector: str | None = None) -> AgentVersion:
    """Returns what an agent is now; nothing is known of one that does not exist.

    `connector` is the one it is compared over; None: the one of the run.
    """
    try:
        spec = resources.spec(name)
        card = resources.target(name).card
    except VivaError:
        return AgentVersion()
    project = resources.project
    connector = connector or resources.settings.connector
    config: JsonObject = {field: value for field, value in spec.config.items() if not callable(value)}

    def portable(text: str) -> str:
        return resources.secrets.mask(text).replace(str(project.root), ".")

    masked = map_texts(config, portable)
    connectors = map_texts(msgspec.to_builtins(project.config.connectors), portable)
    files = sources_of(config, project)
    source = [content_of(path) for path in (*files, *files_below(project.connectors_dir, project))]
    return AgentVersion(
        configuration=_hash([spec.kind, masked, connector, connectors]),
        source=_hash(source) if files else None,
        model=_model_of(spec, resources, (connector, card.connector)),
    )


def _model_of(spec: TargetSpec, resources: RunResources, connectors: Iterable[str | None]) -> str | None:
    """Returns the model that the agent's fields, address or connector name."""
    address: JsonValue = spec.config.get(spec.kind)
    inner = address if is_object(address) else {}
    query = address.partition("?")[2] if isinstance(address, str) else ""
    for found in (spec.config.get("model"), inner.get("model"), parse_params(query).get("model") if query else None):
        if isinstance(found, str) and found:
            return found
    for connector in filter(None, connectors):
        try:
            model: JsonValue = look_up_connector(connector, resources.project).options.get("model")
        except VivaError:
            continue
        if isinstance(model, str) and model:
            return model
    return None


def _hash(value: JsonValue) -> str:
    return blake2b(_encode(value), digest_size=8).hexdigest()
