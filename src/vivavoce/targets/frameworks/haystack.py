"""Haystack's Agent: the messages of its runs."""

from collections.abc import Sequence
from copy import copy
from importlib import import_module

from vivavoce.model.json_value import text_of
from vivavoce.model.message import Content, Message
from vivavoce.targets.frameworks.content import words_only
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption

_METADATA = frozenset({"messages", "last_message", "step_count", "token_usage", "tool_call_counts", "exit_reason"})
_BEFORE_MODEL = "before_llm"


class Agent:
    one_turn = ""
    one_at_a_time = ""
    takes_deps = False

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent

    def open(self, opening: Opening) -> "HaystackConversation":
        return HaystackConversation(self._agent)


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
        given = [*self._kept, message.from_user(words_only(content, "Haystack"))]
        self._watcher.state = None
        finished = False
        try:
            out = await self._agent.run_async(messages=given)
            finished = True
        finally:
            if not finished and self._watcher.state is not None:
                read_messages(_new(self._watcher.state.data["messages"], len(given)), seen)
        self._kept = _new(out["messages"], 0)
        read_messages(self._kept[len(given) :], seen)
        read_end(out, seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None: ...

    async def close(self) -> None: ...


class _StateWatcher:
    """A hook that keeps the state of a run: when the run raises, its messages are only there."""

    def __init__(self) -> None:
        self.state: Foreign = None

    def run(self, state: Foreign) -> None:
        self.state = state


def _watched(agent: Foreign, watcher: _StateWatcher) -> Foreign:
    """A copy of the agent with one more hook; the agent itself, where it has no hooks."""
    if not hasattr(agent, "hooks"):
        return agent
    made = copy(agent)
    hooks: dict[str, list[Foreign]] = agent.hooks
    made.hooks = {**hooks, _BEFORE_MODEL: [*hooks.get(_BEFORE_MODEL, ()), watcher]}
    return made


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
    make = {"assistant": library.from_assistant, "system": library.from_system}.get(message.role, library.from_user)
    return make(message.text)
