"""viva's own form of a reply: a dict with any of `content`, `tool_calls`, `data`, `awaiting_input`, …"""

import re
from typing import Any

from msgspec import UNSET

from vivavoce.model.json_value import compact_json, is_array, is_number, is_object, json_type, text_of
from vivavoce.model.message import AgentReply, MayHold, Unread
from vivavoce.notation.content_parts import Parts, is_content, read_parts
from vivavoce.notation.hidden_calls import CALL_KEYS, calls_in_text, looks_like_calls, mentions_calls, plain_key, unread
from vivavoce.notation.possible_names import names_beside
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.targets.call_reading import read_calls, read_usage, unread_in_calls, unreadable
from vivavoce.targets.message_list import read_messages

CALL_LISTS = ("tool_calls", "tools", "calls")
_SPEAKING_KEYS = frozenset({"content", "text", "tool_calls", "tools", "data"})
_KNOWN_KEYS = _SPEAKING_KEYS | {"calls", "awaiting_input", "input_hint", "finish_reason", "usage", "state"}
_SAYS_NOTHING = frozenset(
    {"id", "model", "object", "role", "type", "created", "created_at", "timestamp", "session_id", "thread_id"}
)
_THOUGHTS = frozenset({"reasoning", "reasoning_content", "thinking"})
"""Texts that the agent does not say to its user."""
_OF_TOOLS = frozenset({"tool", "tools", "function", "functions", "mcp"})
_OF_ACTS = frozenset(
    {
        *("call", "calls", "called", "action", "actions", "executed", "execution", "executions", "invoked"),
        *("invocation", "invocations", "command", "commands", "operation", "operations", "steps", "trace"),
    }
)
_WORD_OF_A_KEY = r"[A-Z]?[a-z]+|[A-Z]+"
_NO_WORDS = frozenset('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/@+-?&=%#~{}[]",')
"""The characters of names, ids and addresses, also in lists and objects: without a blank there are no words."""


def is_envelope(value: dict[str, Any]) -> bool:
    """Whether a dict is a reply rather than data that happens to share a key (`{"state": "CA", "zip": …}`)."""
    if not _SPEAKING_KEYS.isdisjoint(value) or (bool(value) and _KNOWN_KEYS.issuperset(value)):
        return True
    return is_array(value.get("calls")) and looks_like_calls(value["calls"])


def is_plain_envelope(value: Any) -> bool:
    """Whether a dict has a text as `content` and nothing but known keys, as most replies do."""
    return is_object(value) and isinstance(value.get("content"), str) and value.keys() <= _KNOWN_KEYS


def from_envelope(reply: dict[str, Any]) -> AgentReply:
    """The reply a dict of the known keys stands for; what it holds besides is unread."""
    content = reply.get("content") or reply.get("text") or reply.get("content")
    data = reply.get("data", UNSET)
    parts = read_parts(content) if is_content(content) else Parts()
    in_content = read_messages([{"role": "assistant", "content": content}]) if parts.calls or parts.results else None
    missed: list[Unread] = [*(parts.unread if in_content is None else in_content.unread), *other_keys(reply)]
    if not is_content(content):  # content that is itself structured
        data = content if data is UNSET else data
        if looks_like_calls(content):
            missed.append(suspected_call(content, "$.content"))
    if reply.get("content") and reply.get("text") and reply["content"] != reply["text"]:
        missed.append(unread(reply["text"], "$.text", "both" if looks_like_calls(reply["text"]) else "words"))
    lists = [key for key in CALL_LISTS if reply.get(key)]
    called: Any = reply[lists[0]] if lists else None
    missed += [unread(reply[key], f"$.{key}", "call") for key in lists[1:]]
    missed += unread_in_calls(called if is_array(called) else ())
    if calls_in_text(parts.words):
        missed.append(suspected_call(parts.words, "$.content"))
    usage = read_usage(reply.get("usage"))
    for key in ("data", "state") if usage is not None else ("data", "state", "usage"):
        if key in reply and looks_like_calls(reply[key]):
            missed.append(suspected_call(reply[key], f"$.{key}", under=key))
    return AgentReply(
        text=parts.words or ("" if data is UNSET else text_of(data)),
        data=data,
        calls=(*read_calls(called), *(() if in_content is None else in_content.calls)),
        awaiting=_typed(reply, "awaiting_input", bool, "true or false"),
        input_hint=_typed(reply, "input_hint", str, "text"),
        finish_reason=_typed(reply, "finish_reason", str, "text"),
        usage=usage,
        state=reply.get("state", UNSET),
        warnings=_not_read(reply, usage is None),
        unread=tuple(missed),
    )


def refuse_hidden_calls(reply: dict[str, Any]) -> None:
    """Calls under a misspelt key would go unseen, and every check that forbids them would pass."""
    for key, value in reply.items():
        if key not in _KNOWN_KEYS and value and plain_key(key) in CALL_KEYS:
            raise unreadable(f"$.{key} is not read: tool calls belong under tool_calls, other data under data")


def _not_read(reply: dict[str, Any], no_usage: bool) -> tuple[str, ...]:
    ignored = sorted(key for key in reply.keys() - _KNOWN_KEYS - _SAYS_NOTHING if _held(key, reply[key]) is None)
    if no_usage and reply.get("usage"):
        ignored.append("usage")
    return (f"not read from the reply: {', '.join(ignored[:10])} (put it under data)",) if ignored else ()


def other_keys(reply: dict[str, Any]) -> list[Unread]:
    """What stands under keys that viva does not know, where words, a call or its name may be in it."""
    found: list[Unread] = []
    for key in sorted(reply.keys() - _KNOWN_KEYS):
        value = reply[key]
        if key in _SAYS_NOTHING and isinstance(value, str):
            continue
        held = _held(key, value)
        if held is not None:
            found.append(unread(value, f"$.{key} (put it under data)", held))
        if held != "both" and key not in _THOUGHTS:
            found += names_beside({key: value}, (), "$")
    return found


def _held(key: str, value: Any) -> MayHold | None:
    """What may stand in it: a call where its form or key says so, else words where it has more than names and ids."""
    if value is None or isinstance(value, bool) or is_number(value) or value in ("", [], {}):
        return None
    if _is_about_tools(key) or mentions_calls({key: value}):
        return "both"
    return None if key in _THOUGHTS or _NO_WORDS.issuperset(compact_json(value)) else "words"


def _is_about_tools(key: str) -> bool:
    """Whether a key such as `tools_used`, `executed` or `mcpCalls` promises the names of tools; `call_id` does not."""
    words = {word.lower() for word in re.findall(_WORD_OF_A_KEY, key)}
    return not words.isdisjoint(_OF_TOOLS) or ("id" not in words and not words.isdisjoint(_OF_ACTS))


def _typed(reply: dict[str, Any], key: str, wanted: type[Any], words: str) -> Any:
    value = reply.get(key)
    if value is None or isinstance(value, wanted):
        return value
    raise unreadable(f"$.{key} is of type {json_type(value)}, wanted {words}")
