"""A CrewAI agent over OpenAI chat completions."""

from crewai import LLM, Agent
from crewai.tools import tool
from shop import SYSTEM, find_order, refund, run


def answer(messages):
    agent = Agent(
        role="shop",
        goal="refund what people ask for",
        backstory=SYSTEM,
        llm=LLM(model="openai/gpt-4o-mini"),  # it wants a name that it knows
        tools=[tool("find_order")(find_order), tool("refund")(refund)],
    )
    return agent.kickoff(messages[-1]["content"]).raw


if __name__ == "__main__":
    run(answer)
