"""smolagents' ToolCallingAgent and CodeAgent with a fake model."""

from brain import INVOICE, TOKENS, next_move, weather_in
from smolagents import ChatMessage, CodeAgent, LogLevel, MessageRole, Model, ToolCallingAgent, tool
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction, TokenUsage

TASK = "New task:"


def words(message):
    return message.content if isinstance(message.content, str) else "".join(part["text"] for part in message.content)


class Fake(Model):
    writes_code = False

    def generate(self, messages, **kwargs):
        tasks = [at for at, m in enumerate(messages) if m.role == MessageRole.USER and words(m).startswith(TASK)]
        said = [words(messages[at]).removeprefix(TASK).strip() for at in tasks]
        done = [m for m in messages[tasks[-1] :] if m.role == MessageRole.TOOL_RESPONSE]
        managed = [line for line in said if "both" in line and "helper" in line]
        plans = {"delegate": [("helper", {"task": "both"})]}
        move = next_move(["both"] if managed else said, len(done), plans)
        if said[-1] == "invoice":
            move = INVOICE
        name, args = move if isinstance(move, tuple) else ("final_answer", {"answer": move})
        used = TokenUsage(*TOKENS)
        if self.writes_code:
            code = f"{name}({', '.join(map(repr, args.values()))})"
            return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\n{code}\n</code>", token_usage=used)
        function = ChatMessageToolCallFunction(name=name, arguments=args)
        call = ChatMessageToolCall(id=f"c{len(messages)}", type="function", function=function)
        return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call], token_usage=used)


class Coder(Fake):
    writes_code = True


@tool
def get_weather(city: str) -> str:
    """The weather.

    Args:
        city: the city
    """
    return weather_in(city)


@tool
def delete_file(path: str) -> str:
    """Deletes a file.

    Args:
        path: the file
    """
    return f"deleted {path}"


TOOLS = [get_weather, delete_file]
QUIET = {"verbosity_level": LogLevel.OFF}
agent = clerk = ToolCallingAgent(tools=TOOLS, model=Fake(), **QUIET)
coder = CodeAgent(tools=TOOLS, model=Coder(), **QUIET)
helper = ToolCallingAgent(tools=TOOLS, model=Fake(), name="helper", description="helps", **QUIET)
boss = CodeAgent(tools=[], model=Coder(), managed_agents=[helper], **QUIET)


def answer(text: str):
    """A function of one's own that yields the steps as they are."""
    return agent.run(text, stream=True)


def whole(text: str):
    return agent.run(text, return_full_result=True)


def hidden(text: str):
    return coder.run(text, return_full_result=True)
