from pydantic_ai import Agent, ModelRetry, RunContext
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

PRICES = {"mug": 18.0, "tea": 9.5}


def offline_model(messages, info):
    """Stands for a model here, so that this page runs without a key: write "openai:gpt-5" instead."""
    done = [part for part in messages[-1].parts if part.part_kind in ("tool-return", "retry-prompt")]
    if done:
        return ModelResponse(parts=[TextPart(f"That is {done[0].content}.")])
    words = messages[-1].parts[-1].content.split()
    return ModelResponse(parts=[ToolCallPart("price_of", {"item": words[-1]})])


agent = Agent(FunctionModel(offline_model), deps_type=dict)


@agent.tool
def price_of(ctx: RunContext[dict], item: str) -> float:
    if item not in ctx.deps:
        raise ModelRetry(f"we sell no {item}")
    return ctx.deps[item]


def prices(ctx):
    """The `deps` of one conversation; `ctx` has case_id, identity, variables, …"""
    return PRICES
