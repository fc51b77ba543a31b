"""CrewAI's Agent, which chats, Crew, which runs once, and Flow: calls and tokens come from CrewAI's events."""

from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from functools import cache
from importlib import import_module

from vivavoce.containment.daemon_threads import in_daemon_thread
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.model.message import Content, Message
from vivavoce.notation.json_text import json_or_text
from vivavoce.targets.call_payload import plain_message
from vivavoce.targets.frameworks.content import words_only
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_FAILED = "Error executing tool"
"""How CrewAI tells the model that a tool failed."""
_EVENTS = ("ToolUsageStartedEvent", "ToolUsageFinishedEvent", "ToolUsageErrorEvent", "LLMCallCompletedEvent")
_events: ContextVar[list[Foreign] | None] = ContextVar("events of this run of CrewAI", default=None)


class Agent:
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        self._is_flow = hasattr(agent, "state")
        self._is_crew = not self._is_flow and not hasattr(agent, "role")
        self._used = False
        if self._is_flow and not text_fields(agent):
            hint = "give it a structured state, such as Flow[State] with `question: str = ''`"
            raise UsageError("the Flow's state has no text that takes the user's words", hint=hint)
        self.one_turn = "a Crew runs its tasks and has no memory of what was said before" if self._is_crew else ""
        if self._is_crew and not agent.fetch_inputs():
            hint = "write {question} into a task's description"
            raise UsageError("the Crew's tasks have no placeholder that takes the user's words", hint=hint)

    def open(self, opening: Opening) -> "CrewConversation | CrewAgentConversation | FlowConversation":
        if self._is_flow:
            if self._used:
                hint = "name its class, or a function that makes one"
                raise CallFailed(
                    "a Flow keeps its state in the object: it has one conversation", fault="test", hint=hint
                )
            self._used = True
            state = opening.context.state
            return FlowConversation(self._agent, state if is_object(state) else {})
        if self._is_crew:
            state = opening.context.state
            return CrewConversation(self._agent, state if is_object(state) else {})
        return CrewAgentConversation(self._agent)


class CrewAgentConversation:
    """The messages of each run go into the next."""

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        self._kept: list[JsonObject] | None = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        if self._kept is None:
            for message in earlier:
                words_only(message.content, "CrewAI")
            self._kept = [plain_message(message) for message in earlier]
        given = [*self._kept, {"role": "user", "content": words_only(content, "CrewAI")}]
        out = await _watched(self._agent.kickoff_async, given, seen)
        whole = [message for message in out.messages if message["role"] != "system"]
        self._kept = [*given, *_added(whole, given)]
        read_end(out, seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...


def _added(whole: Sequence[JsonObject], given: Sequence[JsonObject]) -> Sequence[JsonObject]:
    """What a run added to the messages it was given: before 1.15 CrewAI writes those into one message of the user."""
    is_as_given = [each["role"] for each in whole[: len(given)]] == [each["role"] for each in given]
    return whole[len(given) if is_as_given else 1 :]


class CrewConversation:
    """One run of a copy, since a Crew cannot run twice at once, and fills its placeholders for good when it runs."""

    def __init__(self, crew: Foreign, given: JsonObject) -> None:
        self._crew = crew.copy()
        self._given = given

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        inputs = self._inputs(words_only(content, "CrewAI"))
        read_end(await _watched(self._crew.kickoff_async, inputs, seen), seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...

    def _inputs(self, words: str) -> JsonObject:
        """The words go into the placeholder that the case's `state` leaves open; a JSON object may fill several."""
        names: set[str] = self._crew.fetch_inputs()
        several = json_or_text(words)
        if is_object(several) and names <= several.keys():
            return several
        left = sorted(names - self._given.keys())
        if len(left) != 1:
            what = f"the Crew wants {', '.join(left or sorted(names))}, and the line is one text"
            hint = "give the others by the case's `state`, or write the line as a JSON object"
            raise CallFailed(what, fault="test", hint=hint)
        return {**self._given, left[0]: words}


class FlowConversation:
    """The object keeps the state of a Flow: each line is one more kickoff."""

    def __init__(self, flow: Foreign, given: JsonObject) -> None:
        self._flow = flow
        self._given = given

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        if earlier:
            raise CallFailed("a Flow takes no earlier messages", fault="test", hint="write them as turns")
        left = [name for name in text_fields(self._flow) if name not in self._given]
        if len(left) != 1:
            what = f"the Flow's state has {', '.join(left) or 'no further text'}, and the line is one text"
            raise CallFailed(what, fault="test", hint="give the others by the case's `state`")
        inputs = {**self._given, left[0]: words_only(content, "CrewAI")}
        read_flow(await _watched(self._flow.kickoff_async, inputs, seen), seen)
        seen.state = plain(self._flow.state.model_dump())

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...


def text_fields(flow: Foreign) -> list[str]:
    """The texts of a Flow's structured state, without its id."""
    state: object = flow.state
    fields: dict[str, Foreign] = getattr(type(state), "model_fields", None) or {}
    return [name for name, field in fields.items() if name != "id" and field.annotation is str]


def read_flow(out: Foreign, seen: TurnRecord) -> None:
    """What the last method of a Flow returned: a text, CrewAI's own result, or data."""
    if isinstance(out, str):
        seen.said(out)
    elif hasattr(out, "raw"):
        read_end(out, seen)
    elif out is not None:
        seen.answered(plain(out))


async def _watched(kickoff: Foreign, given: Foreign, seen: TurnRecord) -> Foreign:
    """Runs it and reads the events of this run, which the context tells from the events of others."""
    bus = _listening_bus()
    events: list[Foreign] = []
    token = _events.set(events)
    try:
        return await kickoff(given)
    finally:
        _events.reset(token)
        try:
            await in_daemon_thread(lambda: bus.flush(5))  # handlers run in threads, later than the run
        finally:
            read_events(sorted(events, key=lambda event: event.emission_sequence or 0), seen)


@cache
def _listening_bus() -> Foreign:
    """CrewAI's bus of events, with one handler for all runs of this process."""
    library = import_module("crewai.events")

    def note(source: Foreign, event: Foreign) -> None:
        if (events := _events.get()) is not None:
            events.append(event)

    for name in _EVENTS:
        library.crewai_event_bus.on(getattr(library, name))(note)
    return library.crewai_event_bus


def read_events(events: Sequence[Foreign], seen: TurnRecord) -> None:
    """The tool calls and tokens of a run. A call is known by the event that began it."""
    for event in events:
        at = event.timestamp.timestamp() * 1000
        if event.type == "tool_usage_started":
            seen.called(event.event_id, event.tool_name, event.tool_args or {}, at)
        elif event.type == "llm_call_completed":
            if used := event.usage:
                read = used.get("prompt_tokens") or used.get("input_tokens")
                seen.spent(read, used.get("completion_tokens") or used.get("output_tokens"))
        else:
            failed = event.error if event.type == "tool_usage_error" else _failure(event)
            result = None if failed else event.output
            call_id = str(event.started_event_id or "")
            seen.returned(call_id, result, error=str(failed) if failed else None, name=event.tool_name, at_ms=at)


def _failure(event: Foreign) -> str | None:
    """What went wrong in a finished call: before 1.15 only its output says so."""
    if (failure := getattr(event, "failure", None)) is not None:
        return failure.message
    return event.output if isinstance(event.output, str) and event.output.startswith(_FAILED) else None


def read_result(out: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run, by itself: its messages show the calls of models that can call functions."""
    for part in getattr(out, "tasks_output", None) or (out,):
        for message in part.messages or ():
            for call in message.get("tool_calls") or ():
                seen.called(call["id"], call["function"]["name"], call["function"]["arguments"])
            if message["role"] == "tool":
                text = message["content"]
                failed = text if isinstance(text, str) and text.startswith(_FAILED) else None
                seen.returned(message["tool_call_id"], text, error=failed, name=message.get("name") or "")
    read_end(out, seen)


def read_end(out: Foreign, seen: TurnRecord) -> None:
    """The answer."""
    data = out.pydantic or getattr(out, "json_dict", None)
    if data:
        seen.answered(data)
    else:
        seen.said(out.raw)


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, or the agents and tasks of a crew do. A Flow does not say what it calls."""
    holders = [*agent.agents, *agent.tasks] if hasattr(agent, "tasks") else [agent]
    for tool in [tool for holder in holders for tool in getattr(holder, "tools", None) or ()]:
        yield tool.name, tool.args_schema.model_json_schema()
