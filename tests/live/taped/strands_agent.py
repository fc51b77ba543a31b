"""Strands with its OpenAI model, which streams."""

from shop import MODEL, SYSTEM, find_order, refund, run
from strands import Agent, tool
from strands.models.openai import OpenAIModel


def answer(messages):
    agent = Agent(
        OpenAIModel(model_id=MODEL),
        system_prompt=SYSTEM,
        tools=[tool(find_order), tool(refund)],
        callback_handler=None,
    )
    return str(agent(messages[-1]["content"])).strip()


if __name__ == "__main__":
    run(answer)
