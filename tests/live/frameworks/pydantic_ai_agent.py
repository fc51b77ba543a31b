"""pydantic-ai agents with a fake model."""

from brain import INVOICE, next_move, weather_in
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, ModelRetry
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel


class Invoice(BaseModel):
    number: int
    total: float


async def fake(messages, info):
    parts = [(at, part) for at, m in enumerate(messages) if isinstance(m, ModelRequest) for part in m.parts]
    said = [(at, part.content) for at, part in parts if part.part_kind == "user-prompt"]
    done = [part for at, part in parts if at >= said[-1][0] and part.part_kind in ("tool-return", "retry-prompt")]
    move = next_move([words for _, words in said], len(done), {"invoice": [("final_result", INVOICE)]})
    return ModelResponse(parts=[TextPart(move) if isinstance(move, str) else ToolCallPart(*move)])


agent = Agent(FunctionModel(fake), output_type=[str, DeferredToolRequests])
clerk = Agent(FunctionModel(fake), output_type=Invoice)
guide = Agent(FunctionModel(fake), deps_type=str)


@agent.tool_plain(retries=2)
def get_weather(city: str) -> str:
    try:
        return weather_in(city)
    except ValueError as unknown:
        raise ModelRetry(str(unknown)) from None


@agent.tool_plain
def delete_file(path: str) -> str:
    return f"deleted {path}"


@agent.tool_plain(requires_approval=True)
def pay(amount: int) -> str:
    return f"paid {amount}"


@guide.tool(name="get_weather")
def local_weather(ctx, city: str) -> str:
    return f"{ctx.deps}: {weather_in(city)}"


def make_deps(ctx) -> str:
    return f"deps of {ctx.case_id}"


async def answer(text: str):
    """A function of one's own that returns the framework's result as it is."""
    return await agent.run(text)
