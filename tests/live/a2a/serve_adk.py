"""A Google ADK agent served by `to_a2a`."""

from collections.abc import AsyncIterator
from typing import Any

from desk import serve, think, weather
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.tools import FunctionTool
from google.genai import types as genai


class FakeModel(BaseLlm):
    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        contents = llm_request.contents
        spoken = [at for at, one in enumerate(contents) if one.role == "user" and any(p.text for p in one.parts)]
        said = [part.text for at in spoken for part in contents[at].parts if part.text]
        parts = [part for one in contents[spoken[-1] :] for part in one.parts or []]
        results = [part.function_response.response for part in parts if part.function_response]
        move = think(said, results)
        if isinstance(move, str):
            part = genai.Part(text=move)
        else:
            part = genai.Part(function_call=genai.FunctionCall(name=move[0], args=move[1]))
        used = genai.GenerateContentResponseUsageMetadata(prompt_token_count=11, candidates_token_count=5)
        yield LlmResponse(content=genai.Content(role="model", parts=[part]), usage_metadata=used)


def get_weather(city: str) -> dict[str, Any]:
    """The weather of a city."""
    try:
        return weather(city)
    except ValueError as error:
        return {"error": str(error)}


def pay(amount: int) -> dict[str, Any]:
    """Pay an amount."""
    return {"paid": amount}


agent = LlmAgent(
    name="desk",
    model=FakeModel(model="fake"),
    description="A test agent",
    instruction="Be brief.",
    tools=[get_weather, FunctionTool(pay, require_confirmation=True)],
)
serve(lambda port: to_a2a(agent, host="127.0.0.1", port=port))
