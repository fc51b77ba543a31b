"""LangChain's create_agent and a graph of one's own, with a fake model."""

from brain import INVOICE, TOKENS, next_move, weather_in
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, wrap_tool_call
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel
from typing_extensions import TypedDict


class Invoice(BaseModel):
    number: int
    total: float


class Fake(BaseChatModel):
    @property
    def _llm_type(self):
        return "fake"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        said = [at for at, message in enumerate(messages) if message.type == "human"]
        done = [message for message in messages[said[-1] :] if message.type == "tool"]
        plans = {"invoice": [("Invoice", INVOICE)], "ask": [("ask_person", {"question": "Where to?"})]}
        move = next_move([messages[at].text for at in said], len(done), plans)
        calls = [] if isinstance(move, str) else [{"name": move[0], "args": move[1], "id": f"c{len(messages)}"}]
        used = {"input_tokens": TOKENS[0], "output_tokens": TOKENS[1], "total_tokens": sum(TOKENS)}
        message = AIMessage("" if calls else move, tool_calls=calls, usage_metadata=used)
        return ChatResult(generations=[ChatGeneration(message=message)])


@tool
def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


@tool
def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


@tool
def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


@tool
def ask_person(question: str) -> str:
    """Asks a person."""
    return f"the person says {interrupt({'reason': 'question', 'message': question})}"


@wrap_tool_call
async def tolerant(request, handler):
    """Tells the model of a tool that failed; without it the whole run raises."""
    try:
        return await handler(request)
    except ValueError as error:
        return ToolMessage(str(error), tool_call_id=request.tool_call["id"], status="error")


asking = HumanInTheLoopMiddleware(interrupt_on={"pay": True})
TOOLS = [get_weather, delete_file, pay, ask_person]
agent = create_agent(Fake(), TOOLS, checkpointer=InMemorySaver(), middleware=[tolerant, asking])
forgetful = create_agent(Fake(), TOOLS, middleware=[tolerant])
strict = create_agent(Fake(), TOOLS)
clerk = create_agent(Fake(), [], response_format=Invoice)
unfinished = StateGraph(TypedDict("Question", {"question": str}))
unfinished.add_node("answer", lambda state: {"question": "?"})
unfinished.set_entry_point("answer")
wordless = unfinished.compile()


async def answer(text: str):
    """A function of one's own that returns the graph's state as it is."""
    return await forgetful.ainvoke({"messages": [{"role": "user", "content": text}]})
