"""agno agents with a fake model."""

import json

from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.base import Model
from agno.models.message import MessageMetrics
from agno.models.response import ModelResponse
from agno.team import Team
from agno.tools import tool
from brain import INVOICE, TOKENS, next_move, weather_in
from pydantic import BaseModel


class Invoice(BaseModel):
    number: int
    total: float


class Fake(Model):
    def invoke(self, messages, *args, **kwargs):
        said = [at for at, message in enumerate(messages) if message.role == "user"]
        done = [message for message in messages[said[-1] :] if message.role == "tool"]
        move = next_move([str(messages[at].content) for at in said], len(done))
        if messages[said[-1]].content == "invoice":
            move = json.dumps(INVOICE)
        used = MessageMetrics(input_tokens=TOKENS[0], output_tokens=TOKENS[1])
        if isinstance(move, str):
            return ModelResponse(role="assistant", content=move, response_usage=used)
        function = {"name": move[0], "arguments": json.dumps(move[1])}
        call = {"id": f"c{len(messages)}", "type": "function", "function": function}
        return ModelResponse(role="assistant", tool_calls=[call], response_usage=used)

    async def ainvoke(self, messages, *args, **kwargs):
        return self.invoke(messages)

    def invoke_stream(self, *args, **kwargs): ...
    def ainvoke_stream(self, *args, **kwargs): ...
    def _parse_provider_response(self, response, **kwargs):
        return response

    def _parse_provider_response_delta(self, response):
        return response


class Boss(Fake):
    def invoke(self, messages, *args, **kwargs):
        if any(message.role == "tool" for message in messages):
            return ModelResponse(role="assistant", content="the helper did it")
        arguments = json.dumps({"member_id": "helper", "task": "both"})
        call = {"id": "b1", "type": "function", "function": {"name": "delegate_task_to_member", "arguments": arguments}}
        return ModelResponse(role="assistant", tool_calls=[call])


def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


@tool(requires_confirmation=True)
def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


TOOLS = [get_weather, delete_file, pay]
agent = Agent(model=Fake(id="fake"), tools=TOOLS, telemetry=False)
keeper = Agent(model=Fake(id="fake"), tools=TOOLS, telemetry=False, db=InMemoryDb(), add_history_to_context=True)
clerk = Agent(model=Fake(id="fake"), output_schema=Invoice, telemetry=False)


def helped(**settings) -> Team:
    helper = Agent(id="helper", name="helper", model=Fake(id="fake"), tools=TOOLS, telemetry=False)
    return Team(members=[helper], telemetry=False, **settings)


team = helped(model=Fake(id="fake"), tools=TOOLS, db=InMemoryDb(), add_history_to_context=True)
boss = helped(model=Boss(id="boss"))


async def answer(text: str):
    """A function of one's own that returns agno's result as it is."""
    return await agent.arun(text)
