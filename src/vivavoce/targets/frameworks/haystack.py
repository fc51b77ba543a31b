"""Haystack's Agent, and a Pipeline that takes the user's words: the messages of their runs."""

from collections.abc import Iterator, Sequence
from copy import copy
from importlib import import_module

from msgspec import Struct

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonObject, is_array, is_object, object_in, text_of
from vivavoce.model.message import Content, Message, text_of_content
from vivavoce.targets.frameworks.content import is_words, words_and_pictures, words_only
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_METADATA = frozenset({"messages", "last_message", "step_count", "token_usage", "tool_call_counts", "exit_reason"})
_BEFORE_MODEL = "before_llm"
_LAST = "vivavoce: nothing follows"
_TEXTS = ("replies", "answers", "reply", "answer", "text", "prompt")
"""Outputs of components that are words of the answer."""


_NO_HISTORY = "the Pipeline takes the words and no earlier messages"
_FUNCTION = "name a function that takes the text and runs the pipeline"


class Agent:
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent
        self._wanted = wanted_inputs(agent) if hasattr(agent, "inputs") else None
        one_text = self._wanted is not None and not any(each.messages for each in self._wanted)
        self.one_turn = _NO_HISTORY if one_text else ""

    def open(self, opening: Opening) -> "HaystackConversation | PipelineConversation":
        if self._wanted is None:
            return HaystackConversation(self._agent)
        state = opening.context.state
        return PipelineConversation(self._agent, self._wanted, state if is_object(state) else {})


class HaystackConversation:
    """All earlier messages are handed over, without the system prompt, which the agent puts in again."""

    def __init__(self, agent: Foreign) -> None:
        self._watcher = _StateWatcher()
        self._agent = _watched(agent, self._watcher)
        self._kept: list[Foreign] | None = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        message = import_module("haystack.dataclasses").ChatMessage
        if self._kept is None:
            self._kept = [_message(each, message) for each in earlier]
        given = [*self._kept, _from_user(content, message)]
        self._watcher.state = None
        finished = False
        try:
            out = await self._agent.run_async(messages=given)
            finished = True
        finally:
            if not finished:
                read_messages(self._watcher.new_messages(), seen)
        self._kept = _new(out["messages"], 0)
        read_messages(self._kept[len(given) :], seen)
        read_end(out, seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...


class Input(Struct, frozen=True):
    """An input of a pipeline that nothing inside of it fills."""

    component: str
    name: str
    messages: bool
    """Whether it takes messages instead of a text."""


class PipelineConversation:
    """The words go into the one input that is left open; the case's `state` may fill the others."""

    def __init__(self, pipeline: Foreign, wanted: Sequence[Input], given: JsonObject) -> None:
        self._pipeline, self._watchers = _watched_pipeline(pipeline)
        self._given = given
        self._open = [each for each in wanted if each.name not in object_in(given, each.component)]
        self._kept: list[Foreign] = []

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        library = import_module("haystack.dataclasses").ChatMessage
        if len(self._open) != 1:
            names = ", ".join(f"{each.component}.{each.name}" for each in self._open)
            what = f"the Pipeline wants {names or 'nothing more'}, and the line is one text"
            hint = f"give the others by the case's `state`, as {{component: {{input: value}}}}; or {_FUNCTION}"
            raise CallFailed(what, fault="test", hint=hint)
        [into] = self._open
        self._kept += [*(_message(each, library) for each in earlier), _from_user(content, library)]
        value = list(self._kept) if into.messages else words_only(content, "Haystack")
        data = {**self._given, into.component: {**object_in(self._given, into.component), into.name: value}}
        await self._run(data, seen)
        self._kept.append(library.from_assistant(seen.reply().text))

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...

    async def _run(self, data: JsonObject, seen: TurnRecord) -> None:
        """Reads the outputs of each run of a component, one behind: the last message repeats all of them.

        A component in a loop runs several times, and what ran before one that raises has been told.
        """
        last = set(self._pipeline.outputs())
        known: set[str] = set()
        told: JsonObject = {}
        finished = False
        for watcher in self._watchers.values():
            watcher.state = None
        try:
            async for part in self._pipeline.run_async_generator(data, set(self._pipeline.graph.nodes)):
                _read_parts(told, last, known, seen)
                told = part
                for name in part:
                    if (ended := self._watchers.get(name)) is not None:
                        ended.state = None
            finished = True
        finally:
            if not finished:
                _read_parts(told, last, known, seen)
                for watcher in self._watchers.values():
                    read_messages(_unknown(watcher.new_messages(), known), seen)


def _read_parts(told: JsonObject, last: set[str], known: set[str], seen: TurnRecord) -> None:
    for name, outputs in told.items():
        new = {key: _unknown(value, known) for key, value in outputs.items()}
        read_component({**new, _LAST: name in last}, seen)


def _unknown(value: Foreign, known: set[str]) -> Foreign:
    """A list of messages without those that an earlier component gave: many hand on what they were given."""
    if not is_array(value):
        return value
    several: list[Foreign] = value
    fresh: list[Foreign] = []
    for each in several:
        marks = _marks(each)
        if not marks or marks.isdisjoint(known):
            fresh.append(each)
        known |= marks
    return fresh


def _marks(value: Foreign) -> set[str]:
    """What a message is known by: the ids of its calls and results, else its words; empty for anything else."""
    if not hasattr(value, "tool_call_results"):
        return set()
    asked = {f"call {call.id}" for call in value.tool_calls if call.id}
    answered = {f"result {told.origin.id}" for told in value.tool_call_results if told.origin.id}
    words = {f"words {value.text} {value.meta}"} if value.text and not value.tool_calls else set[str]()
    return asked | answered | words


def wanted_inputs(pipeline: Foreign) -> list[Input]:
    """The inputs that a run must be given. Raises UsageError for a pipeline that needs none."""
    found = [
        Input(component, name, "ChatMessage" in str(told["type"]))
        for component, inputs in pipeline.inputs().items()
        for name, told in inputs.items()
        if told["is_mandatory"]
    ]
    if not found:
        raise UsageError(
            "the Pipeline requires no input, so it is unknown which one takes the user's text", hint=_FUNCTION
        )
    return found


def read_component(out: Foreign, seen: TurnRecord) -> None:
    """What one component of a pipeline gave: messages show calls; words count where nothing follows."""
    messages: list[Foreign] = []
    for name, value in out.items():
        several: list[Foreign] = value if is_array(value) else [value]
        for each in several:
            if hasattr(each, "tool_call_results") and name != "last_message":
                messages.append(each)
            elif out[_LAST] and name in _TEXTS:
                seen.said(str(getattr(each, "data", each)))
    asked = max((at for at, each in enumerate(messages) if _role(each) == "user"), default=-1)
    for message in messages[asked + 1 :]:
        if _role(message) in ("assistant", "tool"):
            read_result(message, seen)
        used = message.meta.get("usage") if _role(message) == "assistant" else None
        if used:
            seen.spent(used.get("prompt_tokens"), used.get("completion_tokens"))


class _StateWatcher:
    """A hook that keeps the state of a run: when the run raises, its messages are only there."""

    def __init__(self) -> None:
        self.state: Foreign = None
        self._given = 0

    def run(self, state: Foreign) -> None:
        if self.state is not state:
            self._given = len(_new(state.data["messages"], 0))
        self.state = state

    def new_messages(self) -> list[Foreign]:
        """What the run has added to the messages it was given."""
        return [] if self.state is None else _new(self.state.data["messages"], self._given)


def _watched(agent: Foreign, watcher: _StateWatcher) -> Foreign:
    """A copy of the agent with one more hook; the agent itself, where it has no hooks."""
    if not hasattr(agent, "hooks"):
        return agent
    made = copy(agent)
    hooks: dict[str, list[Foreign]] = agent.hooks
    made.hooks = {**hooks, _BEFORE_MODEL: [*hooks.get(_BEFORE_MODEL, ()), watcher]}
    return made


def _watched_pipeline(pipeline: Foreign) -> tuple[Foreign, dict[str, _StateWatcher]]:
    """A copy of the pipeline whose agents are watched, and their watchers by name: its conversations run at once."""
    parts = {name: node["instance"] for name, node in pipeline.graph.nodes.items()}
    agents = {name: part for name, part in parts.items() if hasattr(part, "hooks")}
    made = copy(pipeline)
    made.graph = pipeline.graph.copy()
    watchers = {name: _StateWatcher() for name in agents}
    for name, agent in agents.items():
        made.graph.nodes[name]["instance"] = _watched(agent, watchers[name])
    return made, watchers


def _new(messages: Sequence[Foreign], given: int) -> list[Foreign]:
    return [each for each in messages if _role(each) != "system"][given:]


def _role(message: Foreign) -> str:
    return str(getattr(message.role, "value", message.role))


def read_end(out: Foreign, seen: TurnRecord) -> None:
    """How a run ended; further keys of it are those of the agent's state."""
    seen.finish_reason = out.get("exit_reason")
    used = out.get("token_usage")
    if used:
        seen.spent(used.get("prompt_tokens"), used.get("completion_tokens"))
    state = {key: plain(value) for key, value in out.items() if key not in _METADATA}
    if state:
        seen.state = state


def read_messages(messages: Sequence[Foreign], seen: TurnRecord) -> None:
    """The new messages of a run."""
    for message in messages:
        read_result(message, seen)


def read_result(message: Foreign, seen: TurnRecord) -> None:
    """One message. Of a list that a function returns, what follows the user's last line is the turn."""
    role = _role(message)
    if role == "user":
        seen.drop(lambda call: True)
    elif role == "assistant":
        for call in message.tool_calls:
            seen.called(call.id or "", call.tool_name, call.arguments)
        seen.said(message.text or "")
    elif (told := message.tool_call_result) is not None:
        result = plain(told.result)
        failed = text_of(result) if told.error else None
        seen.returned(told.origin.id or "", result, error=failed, name=told.origin.tool_name)


def _message(message: Message, library: Foreign) -> Foreign:
    make = {"assistant": library.from_assistant, "system": library.from_system}.get(message.role)
    return _from_user(message.content, library) if make is None else make(words_only(message.content, "Haystack"))


def _from_user(content: Content, library: Foreign) -> Foreign:
    """The user's message: words, or words and pictures."""
    if is_words(content):
        return library.from_user(text_of_content(content))
    image = import_module("haystack.dataclasses").ImageContent
    parts = [
        piece if isinstance(piece, str) else image(base64_image=piece.base64, mime_type=piece.media_type or None)
        for piece in words_and_pictures(content, "Haystack")
    ]
    return library.from_user(content_parts=parts)


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model, or the parts of a pipeline do."""
    parts = [part for _, part in agent.walk()] if hasattr(agent, "walk") else [agent]
    for tool in [tool for part in parts for tool in getattr(part, "tools", None) or ()]:
        yield tool.name, tool.parameters
