"""What those who watch a conversation from the side give its agent, and what they say in the end."""

from msgspec import Struct

from vivavoce.model.interventions import Interventions
from vivavoce.model.verdict import Fault


class Provisions(Struct, kw_only=True):
    """What those who watch a conversation give its agent.

    The same object for the whole conversation, filled before it is opened and again before each turn: read it anew for
    every request and every process.
    """

    session_id: str = ""
    """The conversation's id, as the agent gets it."""
    headers: dict[str, str] = {}
    """Headers of every request to the agent, such as `traceparent`."""
    environment: dict[str, str] = {}
    """Environment variables of every process that is started for the conversation."""
    base_urls: dict[str, str] = {}
    """Where the agent reaches a model provider, by the provider's name; for agents that are given it in another way
    than by the environment."""
    interventions: Interventions | None = None
    """What the case puts between the agent and its world; None: neither mocks nor faults."""


class WatchEnd(Struct, frozen=True, kw_only=True):
    """What a watch has to say once the conversation is over."""

    problem: str | None = None
    """Makes the attempt an error whatever its checks say, such as a fault that never fired."""
    fault: Fault = "test"
    """Whose fault the problem is."""
    warnings: tuple[str, ...] = ()
