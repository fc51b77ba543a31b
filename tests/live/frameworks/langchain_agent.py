"""LangChain's chains and AgentExecutor, with a fake model."""

from brain import INVOICE, TOKENS, next_move, weather_in
from langchain_classic.agents import AgentExecutor, create_tool_calling_agent
from langchain_classic.memory import ConversationBufferMemory
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory
from langchain_core.tools import tool
from pydantic import BaseModel


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
        plans = {"invoice": [("Invoice", INVOICE)]}
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


TOOLS = [get_weather, delete_file, pay]
desk = ChatPromptTemplate.from_messages(
    [
        ("system", "Be kind."),
        ("placeholder", "{chat_history}"),
        ("user", "{input}"),
        ("placeholder", "{agent_scratchpad}"),
    ]
)
agent = AgentExecutor(agent=create_tool_calling_agent(Fake(), TOOLS, desk), tools=TOOLS)
shared = AgentExecutor(
    agent=create_tool_calling_agent(Fake(), TOOLS, desk),
    tools=TOOLS,
    memory=ConversationBufferMemory(memory_key="chat_history", return_messages=True),
)
clerk = ChatPromptTemplate.from_messages([("user", "{question}")]) | Fake().with_structured_output(Invoice)
model = Fake()
chain = ChatPromptTemplate.from_messages([("user", "{question}")]) | Fake() | StrOutputParser()
retrieval = (
    {"context": lambda text: f"about {text}", "question": RunnablePassthrough()}
    | ChatPromptTemplate.from_messages([("system", "{context}"), ("user", "{question}")])
    | Fake()
    | StrOutputParser()
)
_histories = {}
talking = RunnableWithMessageHistory(
    ChatPromptTemplate.from_messages([("placeholder", "{history}"), ("user", "{question}")]) | Fake(),
    lambda session_id: _histories.setdefault(session_id, InMemoryChatMessageHistory()),
    input_messages_key="question",
    history_messages_key="history",
)
several = ChatPromptTemplate.from_messages([("user", "{question} in {language}")]) | Fake()


async def answer(text: str):
    """A function of one's own that returns what the executor returns."""
    teller = AgentExecutor(agent=agent.agent, tools=TOOLS, return_intermediate_steps=True)
    return await teller.ainvoke({"input": text})
