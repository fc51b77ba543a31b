"""LangGraph with langchain's OpenAI model."""

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from shop import MODEL, SYSTEM, find_order, refund, run


def answer(messages):
    graph = create_agent(ChatOpenAI(model=MODEL), tools=[find_order, refund], system_prompt=SYSTEM)
    asked = {"messages": [{"role": "user", "content": messages[-1]["content"]}]}
    return graph.invoke(asked)["messages"][-1].content


if __name__ == "__main__":
    run(answer)
