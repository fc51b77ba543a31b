"""A pydantic-ai agent served by fasta2a. `data`: it has a structured output."""

import json
import sys
from collections.abc import AsyncIterator
from typing import Any

from desk import serve, think, weather
from fasta2a.pydantic_ai import agent_to_a2a
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel


class Invoice(BaseModel):
    number: int
    total: float


def _move(messages: list[ModelMessage], info: AgentInfo) -> str | tuple[str, dict[str, Any]]:
    if info.output_tools:
        return info.output_tools[0].name, {"number": 7, "total": 12.5}
    asked = [
        (at, str(part.content))
        for at, message in enumerate(messages)
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]
    since = messages[asked[-1][0] :]
    results = [
        part.content
        for message in since
        if isinstance(message, ModelRequest)
        for part in message.parts
        if part.part_kind in ("tool-return", "retry-prompt")
    ]
    return think([text for _, text in asked], results)


async def _whole(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    move = _move(messages, info)
    return ModelResponse(parts=[TextPart(move) if isinstance(move, str) else ToolCallPart(*move)])


async def _pieces(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
    move = _move(messages, info)
    if isinstance(move, str):
        for number, word in enumerate(move.split(" ")):
            yield word if number == 0 else f" {word}"
    else:
        call_id = f"call-{len(messages)}"
        yield {0: DeltaToolCall(name=move[0], json_args=json.dumps(move[1]), tool_call_id=call_id)}


agent = Agent(
    FunctionModel(_whole, stream_function=_pieces), name="Desk", output_type=Invoice if "data" in sys.argv else str
)


@agent.tool_plain(retries=2)
def get_weather(city: str) -> dict[str, Any]:
    """The weather of a city."""
    try:
        return weather(city)
    except ValueError as error:
        raise ModelRetry(str(error)) from None


serve(lambda port: agent_to_a2a(agent, url=f"http://127.0.0.1:{port}"))
