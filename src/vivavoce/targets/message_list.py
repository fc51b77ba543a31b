"""Lists of messages as other libraries keep them → what the agent said and did since the user's last line.

Read are OpenAI's chat messages, LangChain's (a LangGraph state holds them), Anthropic's, and the items of OpenAI's
Responses. The user's own words are never the agent's reply.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct, structs

from vivavoce.model.json_value import is_array, is_object, json_type, text_of
from vivavoce.model.message import ToolCall, Unread, Usage
from vivavoce.notation.content_parts import Parts, Result, id_of, read_parts, result_of
from vivavoce.notation.hidden_calls import calls_in_text, looks_like_calls, unread
from vivavoce.notation.possible_names import names_beside
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.targets.call_reading import name_of, read_call, read_usage, unread_in_calls, unreadable

_AGENT = frozenset({"assistant", "ai", "model", "AIMessageChunk", "AIMessage"})
_TOOL = frozenset({"tool", "function", "ToolMessage", "ToolMessageChunk"})
_USER = frozenset({"user", "human", "HumanMessage", "HumanMessageChunk"})
_OTHERS = frozenset({"system", "developer", "SystemMessage", "remove", "RemoveMessage"})
_ROLES = _AGENT | _TOOL | _USER | _OTHERS
_SILENT_ITEMS = frozenset({"reasoning", "item_reference", "compaction"})
_SPEAKING = frozenset({"content", "tool_calls", "toolCalls", "function_call"})
_ITEMS = frozenset(
    {
        *("function", "custom_tool", "mcp", "web_search", "file_search", "computer", "code_interpreter"),
        *("image_generation", "local_shell", "shell", "apply_patch", "tool_search"),
    }
)
"""The calls of OpenAI's Responses, without their `_call`."""
_NAMED_CALLS = frozenset({"function_call", "custom_tool_call", "mcp_call"})
_READ_KEYS = frozenset({"content", "refusal", "tool_calls", "toolCalls", "function_call", "invalid_tool_calls"}) | {
    *("role", "type", "id", "name", "usage", "usage_metadata", "response_metadata", "additional_kwargs"),
    *("reasoning", "reasoning_content", "reasoning_details", "thinking"),
}
_CALL_LISTS = ("tool_calls", "toolCalls")
_NO_NAMES = frozenset({"stop_reason", "finish_reason", "annotations"})


class Read(Struct, frozen=True, kw_only=True):
    """What the messages say."""

    texts: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    unread: tuple[Unread, ...] = ()
    usage: Usage | None = None
    finish_reason: str | None = None


NO_ANSWER = Unread("no message of the agent follows the user's", "the messages")
"""Stands for the answer of an agent that handed the conversation back without one."""


def is_message(value: Any) -> bool:
    """Whether a value is a message or an item of a conversation, rather than other data."""
    if not is_object(value):
        return False
    role, kind = value.get("role"), value.get("type")
    speaks = not _SPEAKING.isdisjoint(value)
    if speaks and isinstance(role, str) and role in _ROLES:
        return True
    return isinstance(kind, str) and ((speaks and kind in _ROLES) or _is_item(kind))


def _is_item(kind: str) -> bool:
    return kind.removesuffix("_output").removesuffix("_call") in _ITEMS and "_call" in kind


def read_messages(messages: Sequence[Any], said: str = "") -> Read:
    """What follows the user's line `said`; all of it where the user is not in the list."""
    start, certain = _start(messages, said)
    reading = _Reading()
    for at, message in enumerate(messages[start:], start):
        reading.add(message, f"$.messages[{at}]")
    # Some stores keep the newest message first: then the agent says nothing after the user, or only its system prompt.
    if not certain or reading.is_empty:
        earlier = [message for message in messages[:start] if _calls_something(message)]
        reading.unread += [unread(message, "before the user's message", "call") for message in earlier[:3]]
    if 0 < start == len(messages):
        reading.unread.append(NO_ANSWER)
    return reading.done()


def _start(messages: Sequence[Any], said: str) -> tuple[int, bool]:
    """Where the agent's part begins, and whether that is certain: somebody may have made up a user message."""
    users = [at for at, message in enumerate(messages) if _is_users(message)]
    if not users:
        return 0, True
    same = [at for at in users if _words(messages[at]).strip() == said.strip()]
    if same:
        return same[-1] + 1, True
    return users[-1] + 1, False


def _is_users(message: Any) -> bool:
    """Anthropic's tool results come as messages of the user, who did not say them."""
    if not is_object(message) or _role(message) not in _USER:
        return False
    return not read_parts(message.get("content")).results


def _words(message: dict[str, Any]) -> str:
    return read_parts(message.get("content")).words


def _role(message: dict[str, Any]) -> str:
    role = message.get("role")
    return role if isinstance(role, str) else str(message.get("type") or "")


def _calls_something(message: Any) -> bool:
    return is_object(message) and _role(message) not in _USER and looks_like_calls(message)


class _Reading:
    """Grows by one message after the other."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls: list[ToolCall] = []
        self.unread: list[Unread] = []
        self.usage: Usage | None = None
        self.finish_reason: str | None = None

    def add(self, message: Any, where: str) -> None:
        if not is_object(message):
            self.unread.append(unread(message, where))
            return
        role, kind = _role(message), str(message.get("type") or "")
        if role in _AGENT:
            self._agent(message, where)
        elif role in _TOOL:
            self._answer(result_of({**message, "id": None} if "tool_call_id" in message else message), where)
        elif role in _USER:
            self._results(read_parts(message.get("content"), where), where)
        elif _is_item(kind) and kind.endswith("_output"):
            self._answer(result_of(message), where)
        elif _is_item(kind):
            self._item(message, kind, where)
        elif role not in _OTHERS and kind not in _SILENT_ITEMS:
            self.unread.append(unread(message, where))

    @property
    def is_empty(self) -> bool:
        return not (self.texts or self.calls or self.unread)

    def done(self) -> Read:
        return Read(
            texts=tuple(self.texts),
            calls=tuple(self.calls),
            unread=tuple(self.unread),
            usage=self.usage,
            finish_reason=self.finish_reason,
        )

    def _agent(self, message: dict[str, Any], where: str) -> None:
        parts = read_parts(message.get("content"), f"{where}.content")
        refusal = message.get("refusal")
        words = parts.words or (refusal if isinstance(refusal, str) else "")
        if words:
            self.texts.append(words)
            self.unread += [suspected_call(words, f"{where}.content")] if calls_in_text(words) else []
        self.unread += parts.unread
        listed = calls_of(message)
        self.unread += [
            unread(message[key], f"{where}.{key}", "call")
            for key in message
            if (key not in _READ_KEYS or (key == "name" and not isinstance(message[key], str)))
            and looks_like_calls({key: message[key]})
        ]
        self.unread += names_beside(message, _READ_KEYS | _NO_NAMES, where)
        known = {id_of(call) for call in listed if is_object(call)}
        # LangChain holds the calls of an Anthropic message twice: as parts and as `tool_calls`.
        told = [*listed, *(part for part in parts.calls if not id_of(part) or id_of(part) not in known)]
        self.unread += unread_in_calls(told, where)
        self.calls += [read_call(call, where) for call in told]
        self._results(parts, where)
        spent = read_usage(message.get("usage_metadata") or message.get("usage"))
        self.usage = self.usage if spent is None else spent.plus(self.usage)
        told_by: Any = message.get("response_metadata")
        if is_object(told_by) and isinstance(told_by.get("finish_reason"), str):
            self.finish_reason = told_by["finish_reason"]

    def _item(self, item: dict[str, Any], kind: str, where: str) -> None:
        """A call of OpenAI's Responses; hosted tools are named by their type."""
        name = name_of(item) or ("" if kind in _NAMED_CALLS else kind.removesuffix("_call"))
        told = {**item, "id": id_of(item), "name": name}
        self.unread += unread_in_calls([told], where) if kind in _NAMED_CALLS else []
        self.calls.append(read_call(told, where))

    def _results(self, parts: Parts, where: str) -> None:
        for result in parts.results:
            self._answer(result, where)

    def _answer(self, result: Result, where: str) -> None:
        """Adds a result to its call. A result without a known call counts as a call, too."""
        for at, call in enumerate(self.calls):
            if call.id and call.id == result.call_id:
                if result.name and not (call.is_named(result.name) or ToolCall(name=result.name).is_named(call.name)):
                    self.unread.append(unread(result.name, f"{where} (named in the result of {call.name})", "call"))
                self.calls[at] = structs.replace(call, result=result.value, error=result.error)
                return
        if result.name:
            self.calls.append(ToolCall(id=result.call_id, name=result.name, result=result.value, error=result.error))
        else:
            value = "" if result.value is UNSET else text_of(result.value)
            self.unread.append(unread(result.error or value, f"{where} (result of an unknown call)", "call"))


def calls_of(message: dict[str, Any]) -> list[Any]:
    """The calls of one assistant message, in every spelling."""
    extra: Any = message.get("additional_kwargs")
    found: list[Any] = []
    for key in _CALL_LISTS:
        told: Any = message.get(key)
        if told and not is_array(told):
            raise unreadable(f"$.{key} of a message is of type {json_type(told)}, wanted an array")
        found += told or []
    if not found and is_object(extra):
        found += calls_of({key: extra[key] for key in extra if key in _CALL_LISTS})
    for holder in (message, extra):
        old: Any = holder.get("function_call") if is_object(holder) else None
        if is_object(old) and not found:
            found.append(old)
    invalid: Any = message.get("invalid_tool_calls")
    return [*found, *(invalid if is_array(invalid) else [])]
