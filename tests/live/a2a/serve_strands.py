"""A Strands agent served by its A2AServer."""

import json
from collections.abc import AsyncIterator
from typing import Any

from desk import serve, think, weather
from strands import Agent, tool
from strands.models.model import Model
from strands.multiagent.a2a import A2AServer


class FakeModel(Model):
    def update_config(self, **config: Any) -> None: ...

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        spoken = [at for at, one in enumerate(messages) if one["role"] == "user" and "text" in one["content"][0]]
        said = [messages[at]["content"][0]["text"] for at in spoken]
        blocks = [block for one in messages[spoken[-1] :] for block in one["content"]]
        move = think(said, [block["toolResult"]["content"][0].get("text") for block in blocks if "toolResult" in block])
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(move, str):
            yield {"contentBlockStart": {"start": {}}}
            for number, word in enumerate(move.split(" ")):
                yield {"contentBlockDelta": {"delta": {"text": word if number == 0 else f" {word}"}}}
        else:
            name, args = move
            yield {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": f"t{len(messages)}"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(args)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(move, str) else "tool_use"}}


@tool
def get_weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: its name
    """
    return json.dumps(weather(city))


@tool(context=True)
def pay(amount: int, tool_context: Any) -> str:
    """Pay an amount.

    Args:
        amount: how much
    """
    return f"the answer was {tool_context.interrupt('approval', reason={'amount': amount})}"


def _agent(_: str) -> Agent:
    tools = [get_weather, pay]
    return Agent(model=FakeModel(), name="Desk", description="A test agent", tools=tools, callback_handler=None)


serve(lambda port: A2AServer(agent_factory=_agent, host="127.0.0.1", port=port).to_starlette_app())
