"""Checks of helper agents before the run: each exists, and its connector can be used."""

from vivavoce.calling.connections import find_connector
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError

_HOW_TO_CONNECT = "give -c CONNECTOR, `run.connector` in viva.yaml, or `connector` in its package.yao"
_HOW_TO_CONNECT_THE_JUDGE = (
    "declare it under `connectors:` in viva.yaml and name it by `run.connector` there, by -c, or by `connector` in the "
    "check's `options`; `use` names a judge of your own"
)


def require_helper(ref: str, resources: RunResources, connector: str | None = None) -> None:
    """Raises UsageError for a simulator, judge, generator or reporter that cannot work. Calls nobody.

    `connector` is what the test itself asks for in the helper's options.
    """
    card = resources.target(ref).card
    if resources.kind(ref).connector == "used":
        require_connector(connector or card.connector or resources.settings.connector, ref, resources)


def require_shipped_judge(resources: RunResources, connector: str | None) -> None:
    """Raises UsageError when the judge that checks use by default has no model, or one that cannot be used."""
    from vivavoce.assertions.agent import DEFAULT_JUDGE

    connector = connector or resources.target(DEFAULT_JUDGE).card.connector or resources.settings.connector
    if connector is None:
        raise UsageError("the judge of this check needs a model", hint=_HOW_TO_CONNECT_THE_JUDGE)
    require_connector(connector, DEFAULT_JUDGE, resources)


def require_connector(connector: str | None, agent: str, resources: RunResources) -> None:
    """Raises UsageError when the agent has no connector, an unknown one, or one that lacks a variable."""
    if connector is not None:
        find_connector(connector, resources.surroundings)
    elif not resources.target(agent).card.chooses_connector:
        raise UsageError(f"agent {agent.removeprefix('agents:')!r} has no connector", hint=_HOW_TO_CONNECT)
