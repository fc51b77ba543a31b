"""Agents of the OpenAI Agents SDK with a fake model."""

import json

from agents import Agent, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from agents.models.interface import Model
from brain import INVOICE, TOKENS, next_move, weather_in
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic import BaseModel

set_tracing_disabled(True)


class Invoice(BaseModel):
    number: int
    total: float


class Fake(Model):
    async def get_response(self, system_instructions, input, *args, **kwargs):  # noqa: A002 - the SDK's name
        items = [{"role": "user", "content": input}] if isinstance(input, str) else input
        said = [at for at, item in enumerate(items) if item.get("role") == "user"]
        done = [item for item in items[said[-1] :] if item.get("type") == "function_call_output"]
        plans = {"refund": [("transfer_to_refunds", {})]}
        move = next_move([items[at]["content"] for at in said], len(done), plans)
        if items[said[-1]]["content"] == "invoice":
            move = json.dumps(INVOICE)
        if isinstance(move, str):
            text = ResponseOutputText(type="output_text", text=move, annotations=[])
            output = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
        else:
            output = ResponseFunctionToolCall(
                type="function_call", call_id=f"c{len(items)}", name=move[0], arguments=json.dumps(move[1])
            )
        used = Usage(requests=1, input_tokens=TOKENS[0], output_tokens=TOKENS[1], total_tokens=sum(TOKENS))
        return ModelResponse(output=[output], usage=used, response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


@function_tool
def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


@function_tool
def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


@function_tool(needs_approval=True)
def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


refunds = Agent(name="Refunds", model=Fake())
agent = Agent(name="Desk", model=Fake(), tools=[get_weather, delete_file, pay], handoffs=[refunds])
clerk = Agent(name="Clerk", model=Fake(), output_type=Invoice)


async def answer(text: str):
    """A function of one's own that returns the SDK's result as it is."""
    return await Runner.run(agent, text)
