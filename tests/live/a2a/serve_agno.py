"""An agno agent served by AgentOS."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.base import Model
from agno.models.response import ModelResponse
from agno.os import AgentOS
from desk import serve, think, weather


class FakeModel(Model):
    def __init__(self) -> None:
        super().__init__(id="fake", name="fake", provider="fake")

    def _answer(self, messages: list[Any]) -> ModelResponse:
        spoken = [at for at, one in enumerate(messages) if one.role == "user"]
        results = [one.content for one in messages[spoken[-1] :] if one.role == "tool"]
        move = think([str(messages[at].content) for at in spoken], results)
        if isinstance(move, str):
            return ModelResponse(role="assistant", content=move)
        function = {"name": move[0], "arguments": json.dumps(move[1])}
        call = {"id": f"c{len(messages)}", "type": "function", "function": function}
        return ModelResponse(role="assistant", tool_calls=[call])

    def invoke(self, messages: list[Any], *args: Any, **kwargs: Any) -> ModelResponse:
        return self._answer(messages)

    async def ainvoke(self, messages: list[Any], *args: Any, **kwargs: Any) -> ModelResponse:
        return self._answer(messages)

    def invoke_stream(self, messages: list[Any], *args: Any, **kwargs: Any) -> Iterator[ModelResponse]:
        yield self._answer(messages)

    async def ainvoke_stream(self, messages: list[Any], *args: Any, **kwargs: Any) -> AsyncIterator[ModelResponse]:
        answer = self._answer(messages)
        if not answer.content:
            yield answer
            return
        for number, word in enumerate(str(answer.content).split(" ")):
            yield ModelResponse(content=word if number == 0 else f" {word}")

    def _parse_provider_response(self, response: Any, **kwargs: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response


def get_weather(city: str) -> str:
    """The weather of a city."""
    return json.dumps(weather(city))


agent = Agent(
    name="Desk",
    id="desk",
    model=FakeModel(),
    tools=[get_weather],
    db=InMemoryDb(),
    add_history_to_context=True,
    telemetry=False,
)
serve(lambda _: AgentOS(agents=[agent], a2a_interface=True, telemetry=False).get_app())
