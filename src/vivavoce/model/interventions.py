"""The protocol through which a case puts mocks and faults between an agent and its tools and models."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from vivavoce.model.json_value import JsonValue
from vivavoce.model.model_exchange import ModelReply, ModelRequest
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.model.tool_answer import ToolAnswer


class Interventions(Protocol):
    """A case's mocks and faults, for every place where viva sees the agent's calls."""

    async def tool(self, name: str, args: JsonValue, run: Callable[[], Awaitable[ToolAnswer]]) -> ToolAnswer:
        """Returns the tool's answer: a mock's, a fault's, or that of `run`."""
        ...

    async def model(self, request: ModelRequest, ask: Callable[[ModelRequest], Awaitable[ModelReply]]) -> ModelReply:
        """Returns the model's answer or raises its error. Called once for each request, also for repeated ones."""
        ...

    def spare(self, fault: PlannedFault, why: str) -> None:
        """Records that a fault hit a call that had failed anyway, so that it tested nothing."""
        ...

    def next_model_fault(self) -> PlannedFault | None:
        """Returns the fault for the next model call, for code that sees only the HTTP request."""
        ...

    def stream(self) -> PlannedFault | None:
        """Returns the fault for the next stream, if there is one."""
        ...
