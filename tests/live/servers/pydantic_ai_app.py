"""A pydantic-ai agent with a fake model."""

import json
from collections.abc import AsyncIterator

from brain import ModelExploded, next_move, weather_in
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from serving import serve
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def think(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    spoken = [at for at, part in enumerate(parts) if isinstance(part, UserPromptPart)]
    results = [part.content for part in parts[spoken[-1] :] if isinstance(part, ToolReturnPart)]
    move = next_move([str(parts[at].content) for at in spoken], results)
    for word in move.words:
        yield word
    if move.explodes:
        raise ModelExploded("the model broke")
    for number, (call_id, tool, args) in enumerate(move.calls):
        yield {number: DeltaToolCall(name=tool, json_args=json.dumps(args), tool_call_id=call_id)}


agent: Agent[None, str | DeferredToolRequests] = Agent(
    FunctionModel(stream_function=think), output_type=[str, DeferredToolRequests]
)


@agent.tool_plain
def get_weather(city: str) -> str:
    return weather_in(city)


@agent.tool_plain(requires_approval=True)
def delete_file(path: str) -> str:
    return f"deleted {path}"


async def answer(request: Request) -> Response:
    return await AGUIAdapter.dispatch_request(request, agent=agent)


if __name__ == "__main__":
    serve(Starlette(routes=[Route("/", answer, methods=["POST"])]))
