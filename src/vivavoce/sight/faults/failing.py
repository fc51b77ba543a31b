"""The effect of each kind of fault on a call of a tool or of a model."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

from msgspec import UNSET, structs

from vivavoce.errors import CallFailed, TurnedAway
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.model_exchange import ModelReply, ModelRequest
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.sight.faults.bodies.chat import TOO_LONG

SLOW_S = 5.0
STALLED_S = 3600.0
"""So long that the time limit of the case or of the stream ends it."""
REFUSAL = "I'm sorry, but I can't help with that."
HUGE = 1_000_000
_BUSY = {"429": "Rate limit reached", "503": "Service unavailable", "529": "Overloaded"}
_BROKEN = {"500": "Internal server error", "502": "Bad gateway"}

NEEDS_A_RESULT = ("unknown_field", "huge")
"""Faults that change the result of a tool. A tool that fails by itself has no result to change."""
AskTool = Callable[[], Awaitable[ToolAnswer]]
AskModel = Callable[[ModelRequest], Awaitable[ModelReply]]


async def failing_tool(fault: PlannedFault, run: AskTool) -> ToolAnswer:
    """Returns the answer of the tool under the fault. The tool runs only when its own result is needed."""
    kind = fault.kind
    if kind == "error":
        return ToolAnswer(error=fault.message or "the tool failed")
    if kind == "timeout":
        await asyncio.sleep(fault.seconds or 0.0)
        return ToolAnswer(error=fault.message or "the tool timed out")
    if kind == "empty":
        return ToolAnswer(value=None)
    if kind == "result":
        return ToolAnswer(value=None if fault.result is UNSET else fault.result)
    answer = await run()
    if answer.error is not None:
        return answer
    return ToolAnswer(value=_changed(kind, answer.value))


def _changed(kind: str, value: JsonValue) -> JsonValue:
    plain: JsonValue = {} if value is UNSET else value
    if kind == "unknown_field":
        return {**plain, "x_unknown": "?"} if is_object(plain) else {"value": plain, "x_unknown": "?"}
    return {**plain, "padding": "x" * HUGE} if is_object(plain) else f"{plain}{'x' * HUGE}"


async def failing_model(fault: PlannedFault, request: ModelRequest, ask: AskModel) -> ModelReply:
    """Returns or raises the answer of a model's connector under the fault."""
    kind = fault.kind
    if kind in _BUSY:
        what = f"HTTP {kind}: {fault.message or _BUSY[kind]} (a fault of the test)"
        raise TurnedAway(what, status=int(kind), retry_after_s=fault.seconds or 0.0)
    if kind in _BROKEN:
        _fail(f"HTTP {kind}: {fault.message or _BROKEN[kind]}")
    if kind == "context_length":
        _fail(f"HTTP 400: {fault.message or TOO_LONG}")
    if kind in ("cut", "malformed"):
        _fail("the answer was cut off" if kind == "cut" else "the answer is no JSON")
    if kind == "refusal":
        return ModelReply(text=fault.message or REFUSAL, finish_reason="content_filter")
    if kind == "empty":
        return ModelReply(finish_reason="stop")
    if kind == "slow":
        await asyncio.sleep(fault.seconds or SLOW_S)
        return await ask(request)
    reply = await ask(request)
    if kind == "stall":
        await asyncio.sleep(fault.seconds or STALLED_S)
        return reply
    return structs.replace(reply, text=reply.text[: len(reply.text) // 2], calls=(), finish_reason="length")


def _fail(what: str) -> NoReturn:
    raise CallFailed(f"{what} (a fault of the test)", fault="target")
