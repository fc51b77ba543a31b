"""One of the agents that `viva compare` examines with the same cases."""

from msgspec import Struct


class Contender(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An agent with the connector it is called over."""

    label: str
    """What reports call it: `shop`, `shop @ small`. Each of its cases has it as `agent`."""
    agent: str
    """As `-n` names it."""
    connector: str | None = None
    """As `-c` names it; None for an agent that takes no connector."""
