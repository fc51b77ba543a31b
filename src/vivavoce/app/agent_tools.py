"""Which tools the agents of recorded runs have: as the project declares them, else as the agents list them."""

import asyncio
from collections.abc import Iterator, Sequence

from msgspec import Struct

from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.result import RunInfo
from vivavoce.plugins.catalog import TARGETS
from vivavoce.protocols import ListsTools

_PATIENCE_S = 30.0
DECLARE = "name the agent's tools under `coverage: {tools: [...]}` in viva.yaml"


class ToolList(Struct, frozen=True):
    tools: tuple[ToolSpec, ...] = ()
    notes: tuple[str, ...] = ()
    """Why tools may be missing."""


async def tools_of_agents(resources: RunResources, infos: Sequence[RunInfo]) -> ToolList:
    """The tools that `coverage.tools` names; without it those that the agents of these runs list themselves.

    MCP servers of a package are started to be asked. An agent that cannot be built any more is a note.
    """
    declared = resources.project.config.coverage.tools
    if declared is not None:
        return ToolList(tuple(_declared(entry, number) for number, entry in enumerate(declared, 1)))
    found: list[ToolSpec] = []
    notes: list[str] = []
    for name in dict.fromkeys(name for info in infos for name in _agents(info)):
        try:
            tools = await _listed(name, resources)
        except (VivaError, TimeoutError) as problem:
            why = resources.secrets.mask(str(problem)) or f"no answer in {_PATIENCE_S:.0f} s"
            notes.append(f"the tools of {name} could not be listed ({why}): counted are those seen; {DECLARE}")
            continue
        found.extend(tools)
        if not tools:
            notes.append(f"{name} does not list its tools: counted are those seen; {DECLARE}")
    return ToolList(tuple(found), tuple(notes))


def _agents(info: RunInfo) -> Iterator[str]:
    yield from info.agents or {info.agent_id: None, **dict.fromkeys(info.agent_of.values())}


async def _listed(name: str, resources: RunResources) -> tuple[ToolSpec, ...]:
    spec = resources.spec(name)
    # Not RunResources.target: that one may start the agent's server.
    with TARGETS.guard(spec.kind):
        target = resources.kind(name).build(spec, resources.surroundings)
        try:
            if not isinstance(target, ListsTools):
                return target.card.tools
            async with asyncio.timeout(_PATIENCE_S):
                return await target.list_tools()
        finally:
            await target.close()


def _declared(entry: str | JsonObject, number: int) -> ToolSpec:
    """A tool by its name, or with its schema, also in OpenAI's form."""
    if isinstance(entry, str):
        return ToolSpec(name=entry)
    inner: JsonValue = entry.get("function", entry)
    name: JsonValue = inner.get("name") if is_object(inner) else None
    if not is_object(inner) or not isinstance(name, str) or not name:
        raise UsageError(f"coverage.tools: entry {number} needs a name", hint="write a name, or {name, parameters}")
    parameters: JsonValue = inner.get("parameters")
    return ToolSpec(name=name, parameters=parameters if is_object(parameters) else {})
