"""Haystack's Agent with a fake model."""

from brain import TOKENS, next_move, weather_in
from haystack import Pipeline, component
from haystack.components.agents import Agent
from haystack.components.builders import ChatPromptBuilder, PromptBuilder
from haystack.core.component.types import Variadic
from haystack.dataclasses import ChatMessage, ToolCall
from haystack.tools import tool


@component
class Fake:
    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage], tools=None, streaming_callback=None, generation_kwargs=None):
        said = [at for at, message in enumerate(messages) if message.is_from("user")]
        done = [message for message in messages[said[-1] :] if message.tool_call_result]
        move = next_move([messages[at].text for at in said], len(done))
        meta = {"usage": {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1]}}
        if isinstance(move, str):
            return {"replies": [ChatMessage.from_assistant(move, meta=meta)]}
        call = ToolCall(tool_name=move[0], arguments=move[1], id=f"c{len(messages)}")
        return {"replies": [ChatMessage.from_assistant(tool_calls=[call], meta=meta)]}


@tool
def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


@tool
def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


agent = Agent(chat_generator=Fake(), tools=[get_weather, delete_file], system_prompt="Be brief.")
short = Agent(chat_generator=Fake(), tools=[get_weather], max_agent_steps=1)

helper = Pipeline()
helper.add_component("prompt", ChatPromptBuilder([ChatMessage.from_user("{{ question }}")], required_variables="*"))
helper.add_component("agent", Agent(chat_generator=Fake(), tools=[get_weather, delete_file]))
helper.connect("prompt.prompt", "agent.messages")
talker = Pipeline()
talker.add_component("agent", Agent(chat_generator=Fake(), tools=[get_weather, delete_file]))


@component
class Collector:
    """Keeps the messages of a loop, as Haystack's tutorials do."""

    def __init__(self):
        self.kept = []

    @component.output_types(messages=list[ChatMessage])
    def run(self, messages: Variadic[list[ChatMessage]]):
        self.kept += [message for several in messages for message in several]
        return {"messages": list(self.kept)}


@component
class Broken:
    @component.output_types(text=str)
    def run(self, messages: list[ChatMessage]):
        raise RuntimeError("the printer is gone")


@component
class Invoker:
    @component.output_types(tool_messages=list[ChatMessage])
    def run(self, messages: list[ChatMessage]):
        [call] = messages[-1].tool_calls
        result = {"get_weather": get_weather, "delete_file": delete_file}[call.tool_name].invoke(**call.arguments)
        return {"tool_messages": [ChatMessage.from_tool(result, origin=call)]}


@component
class Router:
    @component.output_types(calls=list[ChatMessage], final=list[ChatMessage])
    def run(self, replies: list[ChatMessage]):
        return {"calls" if replies[0].tool_calls else "final": replies}


def loop() -> Pipeline:
    made = Pipeline()
    made.add_component("start", ChatPromptBuilder([ChatMessage.from_user("{{ question }}")], required_variables="*"))
    made.add_component("collector", Collector())
    made.add_component("model", Fake())
    made.add_component("router", Router())
    made.add_component("tools", Invoker())
    made.connect("start.prompt", "collector.messages")
    made.connect("collector.messages", "model.messages")
    made.connect("model.replies", "router.replies")
    made.connect("router.calls", "tools.messages")
    made.connect("router.calls", "collector.messages")
    made.connect("tools.tool_messages", "collector.messages")
    return made


broken = Pipeline()
broken.add_component("agent", Agent(chat_generator=Fake(), tools=[get_weather]))
broken.add_component("printer", Broken())
broken.connect("agent.messages", "printer.messages")
letter = Pipeline()
letter.add_component("prompt", PromptBuilder("{{ question }} in {{ language }}", required_variables="*"))


async def answer(text: str):
    """A function of one's own that returns the messages of a run as they are."""
    out = await agent.run_async(messages=[ChatMessage.from_user(text)])
    return out["messages"]
