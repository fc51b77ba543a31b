"""Who is compared: every agent over every connector, each with the label that reports call it by."""

from collections import Counter
from collections.abc import Iterator

from vivavoce.app.request import RunRequest
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError
from vivavoce.model.contender import Contender
from vivavoce.plugins.catalog import OBJECT_KIND

_HOW = "viva compare -n A -n B, or -n A -c X -c Y"


def contenders_of(request: RunRequest, resources: RunResources) -> tuple[Contender, ...]:
    """Every agent × every connector; an agent that takes no connector once. Raises UsageError for fewer than two."""
    if resources.settings.tapes.is_on:
        raise UsageError(
            "a tape holds the calls of one agent, so agents cannot be compared with it",
            hint="leave the tape options out",
        )
    pairs = list(_pairs(request, resources))
    short = Counter(_name(agent, resources) for agent in dict(pairs))
    found: dict[tuple[str, str | None], Contender] = {}
    labels: set[str] = set()
    for agent, connector in pairs:
        if (agent, connector) in found:
            raise UsageError(f"{agent!r} is named twice", at="-n", hint="name each agent and connector once")
        name = _name(agent, resources, in_full=short[_name(agent, resources)] > 1)
        label = name if connector is None else f"{name} @ {connector}"
        if label in labels:
            label = f"{label} #{len(labels) + 1}"
        labels.add(label)
        found[agent, connector] = Contender(label=label, agent=agent, connector=connector)
    if len(found) < 2:
        raise UsageError("there is only one agent to compare", at="-n", hint=_HOW)
    return tuple(found.values())


def _pairs(request: RunRequest, resources: RunResources) -> Iterator[tuple[str, str | None]]:
    if not request.agents:
        raise UsageError("nothing says which agents to compare", hint=_HOW)
    for agent in request.agents:
        name = agent if isinstance(agent, str) else resources.adopt(agent)
        try:
            takes_connector = resources.kind(name).connector != "unused"
        except UsageError as problem:
            raise problem.placed("-n") from None
        if not request.connectors or not takes_connector:
            yield name, None
            continue
        for connector in request.connectors:
            yield name, connector


def _name(agent: str, resources: RunResources, *, in_full: bool = False) -> str:
    """`shop`; of Python agents the function, or `shop.py:reply` in full. A password in an address is masked."""
    resources.secrets.add_address(agent)
    if resources.spec(agent).kind != OBJECT_KIND:
        return resources.secrets.mask(agent)
    return agent.removeprefix(f"{OBJECT_KIND}:") if in_full else agent.rpartition(":")[2]
