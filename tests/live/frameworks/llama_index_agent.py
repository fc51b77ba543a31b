"""LlamaIndex's FunctionAgent and AgentWorkflow with a fake model."""

from brain import INVOICE, TOKENS, next_move, weather_in
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent


class Fake(FunctionCallingLLM):
    @property
    def metadata(self):
        return LLMMetadata(is_function_calling_model=True, model_name="fake")

    def _answer(self, messages):
        said = [at for at, message in enumerate(messages) if message.role.value == "user"]
        done = [message for message in messages[said[-1] :] if message.role.value == "tool"]
        plans = {"refund": [("handoff", {"to_agent": "refunds", "reason": "money"})]}
        move = next_move([messages[at].content for at in said], len(done), plans)
        calls = [] if isinstance(move, str) else [{"id": f"c{len(messages)}", "name": move[0], "args": move[1]}]
        message = ChatMessage(role="assistant", content="" if calls else move, additional_kwargs={"tool_calls": calls})
        return ChatResponse(
            message=message, raw={"usage": {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1]}}
        )

    def _prepare_chat_with_tools(self, tools, user_msg=None, chat_history=None, **kwargs):
        return {"messages": list(chat_history or [])}

    def get_tool_calls_from_response(self, response, error_on_no_tool_call=True, **kwargs):
        return [
            ToolSelection(tool_id=call["id"], tool_name=call["name"], tool_kwargs=call["args"])
            for call in response.message.additional_kwargs.get("tool_calls", [])
        ]

    async def achat(self, messages, **kwargs):
        return self._answer(messages)

    async def astream_chat(self, messages, **kwargs):
        async def pieces():
            yield self._answer(messages)

        return pieces()

    def chat(self, messages, **kwargs): ...
    def complete(self, prompt, **kwargs): ...
    def stream_chat(self, messages, **kwargs): ...
    def stream_complete(self, prompt, **kwargs): ...
    async def acomplete(self, prompt, **kwargs): ...
    async def astream_complete(self, prompt, **kwargs): ...


def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


async def pay(ctx: Context, amount: int) -> str:
    """Pays when a person agrees."""
    question = InputRequiredEvent(prefix=f"Pay {amount}?")
    said = await ctx.wait_for_event(HumanResponseEvent, waiter_id="pay", waiter_event=question)
    return f"paid {amount}" if said.response == "yes" else "not paid"


async def invoice(messages):
    return INVOICE


agent = FunctionAgent(name="desk", llm=Fake(), tools=[get_weather, delete_file, pay])
clerk = FunctionAgent(name="clerk", llm=Fake(), structured_output_fn=invoice)
team = AgentWorkflow(
    agents=[
        FunctionAgent(name="desk", description="answers", llm=Fake(), tools=[get_weather], can_handoff_to=["refunds"]),
        FunctionAgent(name="refunds", description="refunds", llm=Fake(), tools=[delete_file]),
    ],
    root_agent="desk",
)


async def answer(text: str):
    """A function of one's own that returns the framework's result as it is."""
    return await agent.run(text)
