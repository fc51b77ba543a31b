"""CrewAI's Agent and Crew with a fake model."""

import json

from brain import INVOICE, TOKENS, next_move, weather_in
from crewai import Agent, BaseLLM, Crew, Task
from crewai.events.types.llm_events import LLMCallType
from crewai.flow.flow import Flow, start
from crewai.llms.base_llm import llm_call_context
from crewai.tools import tool
from pydantic import BaseModel


class Invoice(BaseModel):
    number: int
    total: float


class Fake(BaseLLM):
    native: bool = True

    def supports_function_calling(self):
        return self.native

    def call(self, messages, tools=None, callbacks=None, available_functions=None, *args, **kwargs):
        used = {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1], "total_tokens": sum(TOKENS)}
        with llm_call_context():
            self._emit_call_started_event(messages)
            answer = self.next(messages)
            self._emit_call_completed_event(answer, LLMCallType.LLM_CALL, messages=messages, usage=used)
        return answer

    def next(self, messages):
        said = [at for at, message in enumerate(messages) if message["role"] == "user"]
        said = said if self.native else said[:1]  # the results of tools are told as the user's words
        lines = [messages[at]["content"].partition("Current Task: ")[2] or messages[at]["content"] for at in said]
        lines = [line.strip().splitlines()[0].removeprefix("Answer: ") for line in lines]
        if lines[-1] == "invoice":
            return json.dumps(INVOICE)
        since = messages[said[-1] :]
        done = sum(message["role"] == "tool" or "Observation:" in str(message["content"]) for message in since[1:])
        move = next_move(lines, done)
        if isinstance(move, str):
            return move if self.native else f"Thought: I know\nFinal Answer: {move}"
        if not self.native:
            return f"Thought: go\nAction: {move[0]}\nAction Input: {json.dumps(move[1])}"
        function = {"name": move[0], "arguments": json.dumps(move[1])}
        return [{"id": f"c{len(messages)}", "type": "function", "function": function}]


@tool("get_weather")
def get_weather(city: str) -> str:
    """The weather."""
    return weather_in(city)


@tool("delete_file")
def delete_file(path: str) -> str:
    """Deletes a file."""
    return f"deleted {path}"


def desk(llm: BaseLLM) -> Agent:
    return Agent(role="Desk", goal="answer", backstory="a desk", llm=llm, tools=[get_weather, delete_file])


def crew_of(description: str, **task) -> Crew:
    worker = desk(Fake(model="fake"))
    return Crew(
        agents=[worker], tasks=[Task(description=description, expected_output="an answer", agent=worker, **task)]
    )


agent = desk(Fake(model="fake"))
writer = desk(Fake(model="fake", native=False))
crew = crew_of("Answer: {question}")
clerk = crew_of("Answer: {question}", output_pydantic=Invoice)
letter = crew_of("Answer: {question} in {language}")
deaf = crew_of("Answer: weather")


class Question(BaseModel):
    question: str = ""
    asked: int = 0


class Desk(Flow[Question]):
    @start()
    async def ask(self):
        self.state.asked += 1
        out = await desk(Fake(model="fake")).kickoff_async(self.state.question)
        return out.raw


class Wordless(Flow):
    @start()
    def ask(self):
        return "hello"


flow = Desk()


async def answer(text: str):
    """A function of one's own that returns CrewAI's result as it is."""
    return await agent.kickoff_async(text)
