"""Agents of Google's ADK with a fake model."""

import json

from brain import INVOICE, TOKENS, next_move, weather_in
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.apps import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools import FunctionTool, LongRunningFunctionTool
from google.genai import types
from pydantic import BaseModel


class Invoice(BaseModel):
    number: int
    total: float


class Fake(BaseLlm):
    async def generate_content_async(self, request, stream=False):
        contents = request.contents
        spoken = [at for at, c in enumerate(contents) if c.role == "user" and any(part.text for part in c.parts)]
        said = [part.text for at in spoken for part in contents[at].parts if part.text]
        done = [part for c in contents[spoken[-1] :] for part in c.parts if part.function_response]
        move = next_move(said, len(done), {"ask": [("ask_person", {"question": "Where to?"})]})
        if said[-1] == "invoice":
            move = json.dumps(INVOICE)
        if isinstance(move, str):
            part = types.Part(text=move)
        else:
            part = types.Part(function_call=types.FunctionCall(name=move[0], args=move[1]))
        used = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=TOKENS[0], candidates_token_count=TOKENS[1]
        )
        yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=used)


def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


def delete_file(path: str) -> dict:
    """Deletes a file."""
    return {"deleted": path}


def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


def ask_person(question: str) -> dict:
    """Asks a person, who answers later."""
    return {"status": "pending"}


def desk(name: str) -> LlmAgent:
    tools = [
        get_weather,
        delete_file,
        FunctionTool(pay, require_confirmation=True),
        LongRunningFunctionTool(ask_person),
    ]
    return LlmAgent(name=name, model=Fake(model="fake"), tools=tools)


agent = desk("desk")
clerk = LlmAgent(name="clerk", model=Fake(model="fake"), output_schema=Invoice, output_key="invoice")
steps = SequentialAgent(name="steps", sub_agents=[desk("first"), desk("second")])
app = App(name="desk_app", root_agent=desk("desk"))


async def answer(text: str):
    """A function of one's own that yields ADK's events as they are."""
    runner = InMemoryRunner(agent=agent, app_name="mine")
    session = await runner.session_service.create_session(app_name="mine", user_id="me")
    message = types.Content(role="user", parts=[types.Part(text=text)])
    async for event in runner.run_async(user_id="me", session_id=session.id, new_message=message):
        yield event
