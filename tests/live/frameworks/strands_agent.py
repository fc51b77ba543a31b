"""Strands agents with a fake model."""

import json

from brain import INVOICE, TOKENS, next_move, weather_in
from pydantic import BaseModel
from strands import Agent, tool
from strands.models.model import Model
from strands.multiagent import GraphBuilder, Swarm


class Invoice(BaseModel):
    number: int
    total: float


class Fake(Model):
    def update_config(self, **config): ...
    def get_config(self):
        return {}

    def structured_output(self, *args, **kwargs): ...

    async def stream(self, messages, tool_specs=None, system_prompt=None, **kwargs):
        blocks = [block for message in messages for block in message["content"]]
        said = [at for at, block in enumerate(blocks) if "text" in block and not block["text"].startswith(ANSWERS)]
        done = [block for block in blocks[said[-1] :] if "toolResult" in block]
        # A swarm writes more around the user's words.
        lines = [blocks[at]["text"].rpartition("User Request: ")[2].partition("\n")[0] for at in said]
        move = next_move(lines, len(done), {"invoice": [("Invoice", INVOICE)]})
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(move, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": move}}}
        else:
            use = {"name": move[0], "toolUseId": f"c{len(messages)}"}
            yield {"contentBlockStart": {"start": {"toolUse": use}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(move[1])}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(move, str) else "tool_use"}}
        used = {"inputTokens": TOKENS[0], "outputTokens": TOKENS[1], "totalTokens": sum(TOKENS)}
        yield {"metadata": {"usage": used, "metrics": {"latencyMs": 1}}}


ANSWERS = ("hello", "done", "You are")
"""How this model's own words begin."""


@tool
def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


@tool
def delete_file(path: str) -> dict:
    """Deletes a file."""
    return {"status": "success", "content": [{"json": {"deleted": path}}]}


@tool(context=True)
def pay(amount: int, tool_context) -> str:
    """Pays when a person agrees."""
    said = tool_context.interrupt("approval", reason={"amount": amount})
    if not said["approved"]:
        raise PermissionError("refused")
    return f"paid {amount}"


agent = Agent(model=Fake(), tools=[get_weather, delete_file, pay], callback_handler=None)
clerk = Agent(model=Fake(), structured_output_model=Invoice, callback_handler=None)


def named(name: str) -> Agent:
    return Agent(name=name, model=Fake(), tools=[get_weather, delete_file, pay], callback_handler=None)


_builder = GraphBuilder()
_builder.add_node(named("first"), "first")
graph = _builder.build()
swarm = Swarm([named("front")])


def answer(text: str):
    """A function of one's own that returns the result as it is; it makes an agent, since one remembers."""
    return Agent(model=Fake(), tools=[get_weather], callback_handler=None)(text)
