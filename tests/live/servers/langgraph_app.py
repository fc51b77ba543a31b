"""A LangGraph graph with a fake model: `/` speaks of interrupts the old way, `/outcome` the new way."""

import json
from collections.abc import AsyncIterator
from typing import Any

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from brain import ModelExploded, next_move, weather_in
from fastapi import FastAPI
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt
from serving import serve


class FakeModel(BaseChatModel):
    @property
    def _llm_type(self) -> str:
        return "fake"

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        spoken = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
        results = [message.content for message in messages[spoken[-1] :] if isinstance(message, ToolMessage)]
        move = next_move([str(messages[at].content) for at in spoken], results)
        for word in move.words:
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        if move.explodes:
            raise ModelExploded("the model broke")
        for number, (call_id, name, args) in enumerate(move.calls):
            chunk = {"id": call_id, "name": name, "args": json.dumps(args), "index": number, "type": "tool_call_chunk"}
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[chunk]))


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return weather_in(city)


@tool
def delete_file(path: str) -> str:
    """Deletes a file, when somebody approves."""
    approval = interrupt({"reason": "approval", "message": f"Delete {path}?"})
    approved = approval.get("approved") if isinstance(approval, dict) else False
    return f"deleted {path}" if approved else "not deleted"


BACKEND = [get_weather, delete_file]
model = FakeModel()


async def think(state: MessagesState) -> dict[str, Any]:
    return {"messages": [await model.ainvoke(state["messages"])]}


def after_thinking(state: MessagesState) -> str:
    calls = getattr(state["messages"][-1], "tool_calls", [])
    return "tools" if calls and all(call["name"] in {t.name for t in BACKEND} for call in calls) else END


graph = StateGraph(MessagesState)
graph.add_node("think", think)
graph.add_node("tools", ToolNode(BACKEND))
graph.add_edge(START, "think")
graph.add_conditional_edges("think", after_thinking, ["tools", END])
graph.add_edge("tools", "think")

if __name__ == "__main__":
    app = FastAPI()
    for path, outcome in (("/legacy", False), ("/outcome", True)):
        compiled = graph.compile(checkpointer=InMemorySaver())
        agent = LangGraphAgent(name=path.strip("/"), graph=compiled, emit_interrupt_outcome=outcome)
        add_langgraph_fastapi_endpoint(app, agent, path)
    serve(app)
