"""Answers the MCP requests of one conversation: by faults, mocks, the tape, and last by the server."""

from collections.abc import Awaitable, Callable

from msgspec import structs

from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.model.interventions import Interventions
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import ToolCall
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.sight.mcp_calls.tool_results import made_result, tool_answer_of
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import (
    CALL,
    LIST_TOOLS,
    McpAnswer,
    McpRequest,
    refused,
    taped,
)

Ask = Callable[[], Awaitable[McpAnswer]]
"""Asks the real server."""


class McpResponder:
    """One conversation with all the MCP servers of its agent."""

    def __init__(
        self, censor: Censor, attempt_tape: AttemptTape | None = None, between: Interventions | None = None
    ) -> None:
        """`between`: the mocks and faults of the case."""
        self._censor = censor
        self._attempt_tape = attempt_tape
        self._between = between
        self.turn = 0
        self.calls: list[tuple[int, ToolCall]] = []
        """Every call of a tool, with the turn in which it was made."""
        self.problems: list[str] = []
        self.tools: dict[str, JsonObject] = {}
        """Every tool that a server has listed, by name."""
        self.servers: set[str] = set()

    async def answer(self, request: McpRequest, ask: Ask) -> McpAnswer:
        """Returns the answer for the agent. Asks the server only when nothing else answers."""
        self.servers.add(request.server)
        self._censor.add(request.secrets)
        try:
            answer = await (self._call(request, ask) if request.method == CALL else self._taped(request, ask))
        except CallFailed as problem:
            self.problems.append(problem.what)
            return refused(problem.what)
        if request.method == LIST_TOOLS and answer.result is not None:
            self.tools |= {str(tool.get("name")): tool for tool in answer.result.get("tools") or ()}
        return answer

    async def _call(self, request: McpRequest, ask: Ask) -> McpAnswer:
        name = str(request.params.get("name"))
        args: JsonObject = request.params.get("arguments") or {}
        call = ToolCall(id=f"mcp-{len(self.calls) + 1}", name=name, args=args, started_ms=now_ms())
        turn, place = self.turn, len(self.calls)
        self.calls.append((turn, call))
        own: list[tuple[ToolAnswer, McpAnswer]] = []

        async def run() -> ToolAnswer:
            real = await self._taped(request, ask)
            own.append((tool_answer_of(real), real))
            return own[0][0]

        given = await (run() if self._between is None else self._between.tool(name, args, run))
        ended = structs.replace(call, completed_ms=now_ms())
        if given.error is not None:
            self.calls[place] = (turn, structs.replace(ended, error=given.error))
        else:
            self.calls[place] = (turn, structs.replace(ended, result=given.value))
        if own and given is own[0][0]:
            return own[0][1]
        return made_result(given, self._output_schema(name))

    async def _taped(self, request: McpRequest, ask: Ask) -> McpAnswer:
        return await (ask() if self._attempt_tape is None else taped(request, self._attempt_tape, self._censor, ask))

    def _output_schema(self, name: str) -> JsonValue:
        tool = self.tools.get(name)
        return tool.get("outputSchema") if is_object(tool) else None
