"""What the watchers of a conversation (proxy, spans, mocks, …) give its agent, and what they report at its end."""

from msgspec import Struct

from vivavoce.model.interventions import Interventions
from vivavoce.model.verdict import Fault


class Provisions(Struct, kw_only=True):
    """What the watchers of a conversation give its agent.

    One object for the whole conversation. It is filled before the conversation opens and again before each turn: read
    it again for every request and every process.
    """

    session_id: str = ""
    """The conversation's id, as the agent gets it."""
    headers: dict[str, str] = {}
    """Headers of every request to the agent, such as `traceparent`."""
    environment: dict[str, str] = {}
    """Environment variables of every process that is started for the conversation."""
    base_urls: dict[str, str] = {}
    """Where the agent reaches a model provider, by the provider's name; for agents that do not take this from the
    environment."""
    interventions: Interventions | None = None
    """The case's mocks and faults; None if it has neither."""


class WatchEnd(Struct, frozen=True, kw_only=True):
    """What a watcher reports when the conversation is over."""

    problem: str | None = None
    """Makes the attempt an error whatever its checks say, such as a fault that never fired."""
    fault: Fault = "test"
    """Whose fault the problem is."""
    warnings: tuple[str, ...] = ()
