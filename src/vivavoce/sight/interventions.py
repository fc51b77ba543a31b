"""The mocks and faults of a case, applied to the tools, models and streams of its agent: mocks first."""

from collections.abc import Sequence

from msgspec import structs

from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.model.model_exchange import ModelReply, ModelRequest
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.protocols import Provisions, WatchEnd
from vivavoce.sight.faults.failing import NEEDS_A_RESULT, AskModel, AskTool, failing_model, failing_tool
from vivavoce.sight.faults.schedule import Schedule
from vivavoce.sight.mocks.mocked_tools import CallScript, MockedTools


class CaseInterventions:
    """protocols.Interventions of one attempt, and the watch that reports where faults struck."""

    def __init__(
        self, faults: tuple[PlannedFault, ...], mocks: Sequence[FrontendTool], call_script: CallScript
    ) -> None:
        self._schedule = Schedule(faults)
        self._mocks = MockedTools(mocks, call_script)
        self._reported = 0

    # ── between the agent and its tools and models ──

    async def tool(self, name: str, args: JsonValue, run: AskTool) -> ToolAnswer:
        async def without_fault() -> ToolAnswer:
            mocked = await self._mocks.answer(name, args)
            return await run() if mocked is None else mocked

        fault = self._schedule.next("tool", name, args)
        if fault is None:
            return await without_fault()
        answer = await failing_tool(fault, without_fault)
        if answer.error is not None and fault.kind in NEEDS_A_RESULT:
            self.spare(fault, f"{name} failed by itself: {answer.error}")
        return answer

    async def model(self, request: ModelRequest, ask: AskModel) -> ModelReply:
        fault = self._schedule.next("model")
        return await ask(request) if fault is None else await failing_model(fault, request, ask)

    def stream(self) -> PlannedFault | None:
        return self._schedule.next("stream")

    def next_model_fault(self) -> PlannedFault | None:
        return self._schedule.next("model")

    def spare(self, fault: PlannedFault, why: str) -> None:
        self._schedule.spare(fault, why)

    # ── protocols.Watch ──

    def begin_turn(self, number: int, provisions: Provisions) -> None: ...

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        new = [str(strike) for strike in self._schedule.struck[self._reported :]]
        self._reported = len(self._schedule.struck)
        if not new:
            return reply
        events = tuple({"type": "fault", "text": text} for text in new)
        return structs.replace(reply, warnings=(*reply.warnings, *new), trace=(*reply.trace, *events))

    async def close(self) -> WatchEnd:
        return WatchEnd(problem=self._schedule.never_fired())
