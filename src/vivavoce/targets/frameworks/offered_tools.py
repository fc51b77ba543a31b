"""The tools that an agent of a framework offers to its model, as data: what its file lists, made plain."""

import inspect
from collections.abc import Callable, Iterable, Iterator

from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.targets.frameworks.declaration import Foreign
from vivavoce.targets.frameworks.turn_record import plain

Offered = tuple[str, Foreign]
"""A tool's name, and the JSON Schema of its parameters (None where there is none)."""


def specs_of(offered: Iterable[Offered]) -> tuple[ToolSpec, ...]:
    """Each tool once, by its name."""
    found: dict[str, ToolSpec] = {}
    for name, schema in offered:
        parameters = plain(schema)
        found.setdefault(name, ToolSpec(name=name, parameters=parameters if is_object(parameters) else {}))
    return tuple(found.values())


def function_schema(function: Callable[..., object]) -> Foreign:
    """The parameters of a plain function that a framework makes a tool of: their names only."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None
    properties: JsonObject = {name: {} for name in names}
    return {"type": "object", "properties": properties}


def each_agent(agent: Foreign, members: Callable[[Foreign], Iterable[Foreign]]) -> Iterator[Foreign]:
    """The agent and all agents that it can hand over to, each once."""
    waiting, seen = [agent], set[int]()
    while waiting:
        one = waiting.pop(0)
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting.extend(members(one))
