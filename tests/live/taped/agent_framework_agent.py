"""Microsoft Agent Framework over OpenAI chat completions."""

import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatCompletionClient
from shop import MODEL, SYSTEM, find_order, refund, run


async def answered(line):
    agent = Agent(OpenAIChatCompletionClient(model=MODEL), instructions=SYSTEM, tools=[find_order, refund])
    return (await agent.run(line)).text


def answer(messages):
    return asyncio.run(answered(messages[-1]["content"]))


if __name__ == "__main__":
    run(answer)
