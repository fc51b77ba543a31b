"""The OpenAI Agents SDK over chat."""

import asyncio

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from shop import MODEL, SYSTEM, find_order, refund, run

set_tracing_disabled(True)


async def answered(line):
    agent = Agent(
        name="shop",
        instructions=SYSTEM,
        model=OpenAIChatCompletionsModel(MODEL, AsyncOpenAI()),
        tools=[function_tool(find_order), function_tool(refund)],
    )
    return (await Runner.run(agent, line)).final_output


def answer(messages):
    return asyncio.run(answered(messages[-1]["content"]))


if __name__ == "__main__":
    run(answer)
