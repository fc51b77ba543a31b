"""AutoGen's AssistantAgent and a team with a fake model."""

import json

from autogen_agentchat.agents import AssistantAgent, BaseChatAgent
from autogen_agentchat.base import Handoff, Response
from autogen_agentchat.messages import TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import FunctionCall
from autogen_core.models import (
    ChatCompletionClient,
    CreateResult,
    FunctionExecutionResultMessage,
    ModelInfo,
    RequestUsage,
    UserMessage,
)
from brain import INVOICE, TOKENS, next_move, weather_in
from pydantic import BaseModel


class Invoice(BaseModel):
    number: int
    total: float


class Fake(ChatCompletionClient):
    component_type = "model"
    model_info = ModelInfo(
        vision=False, function_calling=True, json_output=True, family="unknown", structured_output=True
    )
    capabilities = model_info

    async def create(self, messages, *, tools=(), **kwargs):
        said = [at for at, message in enumerate(messages) if isinstance(message, UserMessage)]
        results = [m for m in messages[said[-1] :] if isinstance(m, FunctionExecutionResultMessage)]
        move = next_move([messages[at].content for at in said], len(results), {"human": [("transfer_to_user", {})]})
        if messages[said[-1]].content == "invoice":
            move = json.dumps(INVOICE)
        content = move
        if not isinstance(move, str):
            content = [FunctionCall(id=f"c{len(messages)}", name=move[0], arguments=json.dumps(move[1]))]
        used = RequestUsage(prompt_tokens=TOKENS[0], completion_tokens=TOKENS[1])
        return CreateResult(finish_reason="stop", content=content, usage=used, cached=False)

    def create_stream(self, *args, **kwargs): ...
    async def close(self): ...
    def actual_usage(self): ...
    def total_usage(self): ...
    def count_tokens(self, messages, *, tools=()):
        return 1

    def remaining_tokens(self, messages, *, tools=()):
        return 1000


class Parrot(BaseChatAgent):
    """An agent of one's own that saves nothing."""

    produced_message_types = (TextMessage,)

    async def on_messages(self, messages, cancellation_token):
        return Response(chat_message=TextMessage(content=messages[-1].content, source=self.name))

    async def on_reset(self, cancellation_token): ...


def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


def desk(**more) -> AssistantAgent:
    tools = [get_weather, delete_file]
    return AssistantAgent("desk", model_client=Fake(), tools=tools, max_tool_iterations=5, **more)


agent = desk(handoffs=[Handoff(target="user")])
team = RoundRobinGroupChat([desk()], max_turns=1)
clerk = AssistantAgent("clerk", model_client=Fake(), output_content_type=Invoice)
parrot = Parrot("parrot", "repeats")


async def answer(text: str):
    """A function of one's own that returns AutoGen's result as it is; it makes an agent, since one remembers."""
    return await desk().run(task=text)
