"""The socket through which a case puts mocks and faults between an agent and its world."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from vivavoce.model.json_value import JsonValue
from vivavoce.model.model_exchange import ModelReply, ModelRequest
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.model.tool_answer import ToolAnswer


class Interventions(Protocol):
    """What a case puts between an agent and its world, wherever viva stands between the two."""

    async def tool(self, name: str, args: JsonValue, run: Callable[[], Awaitable[ToolAnswer]]) -> ToolAnswer:
        """Returns what a tool gives: a mock's answer, a fault's, or that of `run`."""
        ...

    async def model(self, request: ModelRequest, ask: Callable[[ModelRequest], Awaitable[ModelReply]]) -> ModelReply:
        """Returns or raises what a model answers; asked once for each call that is sent."""
        ...

    def spare(self, fault: PlannedFault, why: str) -> None:
        """Takes note that a fault met something that was broken already: it tested nothing."""
        ...

    def next_model_fault(self) -> PlannedFault | None:
        """Returns the fault that strikes the next model call, for those who see it only on the wire."""
        ...

    def stream(self) -> PlannedFault | None:
        """Returns the fault that strikes the next stream, if one does."""
        ...
