"""Agents of Microsoft's Agent Framework with a fake model."""

import json

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    UsageDetails,
    tool,
)
from brain import INVOICE, TOKENS, next_move, weather_in
from pydantic import BaseModel


class Invoice(BaseModel):
    number: int
    total: float


class Fake(FunctionInvocationLayer, BaseChatClient):
    def _inner_get_response(self, *, messages, stream, options, **kwargs):
        return self.whole(messages, options or {})

    async def whole(self, messages, options):
        said = [at for at, message in enumerate(messages) if message.role == "user" and message.text]
        done = [c for message in messages[said[-1] :] for c in message.contents if c.type == "function_result"]
        move = next_move([messages[at].text for at in said], len(done))
        if messages[said[-1]].text == "invoice":
            move = json.dumps(INVOICE)
        if isinstance(move, str):
            content = Content.from_text(move)
        else:
            arguments = json.dumps(move[1])
            content = Content.from_function_call(call_id=f"c{len(messages)}", name=move[0], arguments=arguments)
        return ChatResponse(
            messages=[Message(role="assistant", contents=[content])],
            usage_details=UsageDetails(input_token_count=TOKENS[0], output_token_count=TOKENS[1]),
            response_format=options.get("response_format"),
        )


@tool
def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


@tool
def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


@tool(approval_mode="always_require")
def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


agent = Agent(client=Fake(), tools=[get_weather, delete_file, pay])
clerk = Agent(client=Fake(), default_options={"response_format": Invoice})


async def answer(text: str):
    """A function of one's own that returns the framework's result as it is."""
    return await agent.run(text)
