"""Haystack's Agent with a fake model."""

from brain import TOKENS, next_move, weather_in
from haystack import Pipeline, component
from haystack.components.agents import Agent
from haystack.components.builders import ChatPromptBuilder, PromptBuilder
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
letter = Pipeline()
letter.add_component("prompt", PromptBuilder("{{ question }} in {{ language }}", required_variables="*"))


async def answer(text: str):
    """A function of one's own that returns the messages of a run as they are."""
    out = await agent.run_async(messages=[ChatMessage.from_user(text)])
    return out["messages"]
