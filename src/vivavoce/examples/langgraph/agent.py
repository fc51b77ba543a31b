from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver


class OfflineModel(BaseChatModel):
    """Stands for a model here, so that this page runs without a key: write "openai:gpt-5" instead."""

    _llm_type = "offline"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        last = messages[-1]
        if last.type == "tool":
            reply = AIMessage(f"That is done: {last.text}")
        else:
            name, args = ("refund", {"order": "A1"}) if "back" in last.text else ("price_of", {"item": "mug"})
            reply = AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"call{len(messages)}"}])
        return ChatResult(generations=[ChatGeneration(message=reply)])


@tool
def price_of(item: str) -> str:
    """The price of an item."""
    return "18.00"


@tool
def refund(order: str) -> str:
    """Gives the money back."""
    return f"refunded {order}"


agent = create_agent(
    OfflineModel(),
    [price_of, refund],
    checkpointer=InMemorySaver(),
    middleware=[HumanInTheLoopMiddleware(interrupt_on={"refund": True})],
)
