"""pydantic-ai over OpenAI chat completions."""

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from shop import MODEL, SYSTEM, find_order, refund, run


def answer(messages):
    agent = Agent(OpenAIChatModel(MODEL), instructions=SYSTEM, tools=[find_order, refund])
    return agent.run_sync(messages[-1]["content"]).output


if __name__ == "__main__":
    run(answer)
