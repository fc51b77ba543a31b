"""DSPy's ReAct with a fake model."""

import json
from types import SimpleNamespace

import dspy
from brain import INVOICE, TOKENS, next_move, weather_in
from pydantic import BaseModel

MARK = "[[ ## question ## ]]"


class Invoice(BaseModel):
    number: int
    total: float


class Fake(dspy.BaseLM):
    def __init__(self):
        super().__init__(model="fake")

    def forward(self, prompt=None, messages=None, **kwargs):
        texts = [message["content"] for message in messages if message["role"] == "user" and MARK in message["content"]]
        said = [text.split(MARK)[1].split("[[ ##")[0].strip().splitlines()[0] for text in texts]
        last = messages[-1]["content"]
        is_acting = "`[[ ## next_thought ## ]]`" in last
        done = last.count("[[ ## observation_")
        # The tool that ends a run has an observation too.
        move = next_move(said, done if is_acting else max(done - 1, 0))
        if is_acting:
            name, args = ("finish", {}) if isinstance(move, str) else move
            fields = {"next_thought": "go", "next_tool_name": name, "next_tool_args": json.dumps(args)}
        else:
            fields = {"reasoning": "so", "answer": move, "invoice": json.dumps(INVOICE)}
            fields.pop("answer" if said[-1] == "invoice" else "invoice")
        content = "".join(f"[[ ## {key} ## ]]\n{value}\n" for key, value in fields.items()) + "[[ ## completed ## ]]"
        choice = SimpleNamespace(message=SimpleNamespace(content=content, tool_calls=None), finish_reason="stop")
        used = {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1]}
        return SimpleNamespace(choices=[choice], usage=used, model="fake")

    async def aforward(self, prompt=None, messages=None, **kwargs):
        return self.forward(prompt, messages, **kwargs)


def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


class Chat(dspy.Signature):
    question: str = dspy.InputField()
    history: dspy.History = dspy.InputField()
    answer: str = dspy.OutputField()


class Bill(dspy.Signature):
    question: str = dspy.InputField()
    invoice: Invoice = dspy.OutputField()


class Desk(dspy.Module):
    """A module of one's own around another."""

    def __init__(self):
        super().__init__()
        self.inner = dspy.ReAct("question -> answer", tools=TOOLS)

    async def aforward(self, question):
        return await self.inner.acall(question=question)

    def forward(self, question):
        return self.inner(question=question)


TOOLS = [get_weather, delete_file]
dspy.configure(lm=Fake())
agent = dspy.ReAct(Chat, tools=TOOLS)
forgetful = dspy.ReAct("question -> answer", tools=TOOLS)
desk = Desk()
clerk = dspy.ChainOfThought(Bill)


async def answer(text: str):
    """A function of one's own that returns the prediction as it is."""
    return await forgetful.acall(question=text)
