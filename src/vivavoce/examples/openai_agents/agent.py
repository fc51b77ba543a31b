import json

from agents import Agent, ModelResponse, Usage, function_tool
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class OfflineModel(Model):
    """Stands for a model here, so that this page runs without a key: leave `model` out instead."""

    async def get_response(self, system_instructions, input, *args, **kwargs):
        last = input[-1]
        if last.get("type") == "function_call_output":
            text = ResponseOutputText(type="output_text", text=f"Done: {last['output']}", annotations=[])
            out = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
        else:
            name, args = ("refund", {"order": "A1"}) if "back" in last["content"] else ("price_of", {"item": "mug"})
            out = ResponseFunctionToolCall(
                type="function_call", call_id=f"call{len(input)}", name=name, arguments=json.dumps(args)
            )
        return ModelResponse(output=[out], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


@function_tool
def price_of(item: str) -> str:
    """The price of an item."""
    return "18.00"


@function_tool(needs_approval=True)
def refund(order: str) -> str:
    """Gives the money back."""
    return f"refunded {order}"


agent = Agent(name="Shop", model=OfflineModel(), tools=[price_of, refund])
