"""An Agno agent with a fake model."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.base import Model
from agno.models.message import Message
from agno.models.response import ModelResponse
from agno.os.interfaces.agui import AGUI
from agno.tools import tool
from brain import ModelExploded, next_move, weather_in
from fastapi import FastAPI
from serving import serve


class FakeModel(Model):
    def __init__(self) -> None:
        super().__init__(id="fake", name="fake", provider="fake")

    async def ainvoke_stream(self, messages: list[Message], *args: Any, **kwargs: Any) -> AsyncIterator[ModelResponse]:
        spoken = [at for at, message in enumerate(messages) if message.role == "user"]
        results = [message.content for message in messages[spoken[-1] :] if message.role == "tool"]
        move = next_move([str(messages[at].content) for at in spoken], results)
        for word in move.words:
            yield ModelResponse(content=word)
        if move.explodes:
            raise ModelExploded("the model broke")
        if move.calls:
            yield ModelResponse(
                tool_calls=[
                    {"id": call_id, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
                    for call_id, name, args in move.calls
                ]
            )

    def invoke(self, *args: Any, **kwargs: Any) -> ModelResponse:
        raise NotImplementedError

    async def ainvoke(self, *args: Any, **kwargs: Any) -> ModelResponse:
        raise NotImplementedError

    def invoke_stream(self, *args: Any, **kwargs: Any) -> Iterator[ModelResponse]:
        raise NotImplementedError

    def _parse_provider_response(self, response: Any, **kwargs: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return weather_in(city)


@tool(requires_confirmation=True)
def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


agent = Agent(
    model=FakeModel(),
    tools=[get_weather, delete_file],
    db=InMemoryDb(),
    add_history_to_context=True,
    num_history_runs=10,
    telemetry=False,
)

if __name__ == "__main__":
    app = FastAPI()
    app.include_router(AGUI(agent=agent).get_router())
    serve(app)
