"""What user code returned → AgentReply: one reading for callables, commands and scripts."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, structs

from vivavoce.model.json_value import is_array, is_object, json_type, text_of
from vivavoce.model.message import AgentReply
from vivavoce.notation.json_text import json_or_text
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.targets.call_reading import read_calls, read_usage, refuse_bad_usage, unread_in_calls, unreadable

_SPEAKING_KEYS = frozenset({"content", "text", "tool_calls", "tools", "data"})
_KNOWN_KEYS = _SPEAKING_KEYS | {"awaiting_input", "input_hint", "finish_reason", "usage", "state"}
_LOOKS_LIKE_CALLS = frozenset({"toolcall", "toolcalls", "toolscalled", "functioncall", "functioncalls"})


def read_reply(value: Any) -> AgentReply:
    """Text, a dict of the known keys, structured data, an AgentReply, or nothing."""
    if type(value) is str and value.isascii():
        return AgentReply(text=value, shows_calls=False)
    if isinstance(value, AgentReply):
        return _checked(value)
    if isinstance(value, bytes | bytearray):
        return AgentReply(text=_decoded(bytes(value)), shows_calls=False)
    plain = _json(value)
    if plain is None or isinstance(plain, str):
        return AgentReply(text=plain or "", shows_calls=False)
    if is_object(plain):
        plain = _from_completion(plain)
        _refuse_hidden_calls(plain)
        if _is_envelope(plain):
            return _from_envelope(plain)
    return AgentReply(text=text_of(plain), data=plain, shows_calls=False)


def read_chunks(chunks: Sequence[Any]) -> AgentReply:
    """What a generator yielded: texts are joined, dicts add to the reply, the last word of a key wins."""
    replies = [chunk for chunk in chunks if isinstance(chunk, AgentReply)]
    if replies:
        return read_reply(replies[-1])
    texts: list[str | bytes] = []
    envelope: dict[str, Any] = {}
    for number, chunk in enumerate(chunks, start=1):
        if isinstance(chunk, str | bytes):
            texts.append(chunk)
        elif is_object(chunk):
            said = chunk if _is_envelope(chunk) else {"data": chunk}
            texts.extend(str(said[key]) for key in ("content", "text") if isinstance(said.get(key), str))
            envelope = _plus(envelope, said)
        elif chunk is not None:
            raise unreadable(f"chunk {number} of the answer is of type {type(chunk).__name__}, wanted text or a dict")
    text = _joined(texts)
    return read_reply({**envelope, "content": text} if texts else envelope) if envelope else read_reply(text)


def read_output(stdout: bytes) -> AgentReply:
    """What a program printed: a JSON object or array is read as such, all else is text."""
    text = _decoded(stdout).strip()
    return read_reply(json_or_text(text) if text.startswith(("{", "[")) else text)


# ── the known keys ──────────────────────────────────────────────────────────────────


def _is_envelope(value: dict[str, Any]) -> bool:
    """Whether a dict is a reply rather than data that happens to share a key (`{"state": "CA", "zip": …}`)."""
    return not _SPEAKING_KEYS.isdisjoint(value) or (bool(value) and _KNOWN_KEYS.issuperset(value))


def _from_envelope(reply: dict[str, Any]) -> AgentReply:
    content = reply.get("content", reply.get("text"))
    data = reply.get("data", UNSET)
    words = _words_of(content)
    if words is None:  # content that is itself structured
        words, data = "", content if data is UNSET else data
    called, other_tools = reply.get("tool_calls"), reply.get("tools")
    if called is None:
        called, other_tools = other_tools, None
    unread = [*sorted(reply.keys() - _KNOWN_KEYS), *(["tools"] if other_tools else ()), *unread_in_calls(called)]
    usage = read_usage(reply.get("usage"))
    if usage is None and reply.get("usage"):
        unread.append("usage")
    return AgentReply(
        text=words or ("" if data is UNSET else text_of(data)),
        data=data,
        calls=read_calls(called),
        awaiting=_typed(reply, "awaiting_input", bool, "true or false"),
        input_hint=_typed(reply, "input_hint", str, "text"),
        finish_reason=_typed(reply, "finish_reason", str, "text"),
        usage=usage,
        state=reply.get("state", UNSET),
        warnings=(f"not read from the reply: {', '.join(unread[:10])} (put it under data)",) if unread else (),
    )


def _from_completion(reply: dict[str, Any]) -> dict[str, Any]:
    """An OpenAI chat completion handed on as it is: what its first choice says."""
    choices = reply.get("choices")
    choice: Any = choices[0] if is_array(choices) and choices else None
    message: Any = choice.get("message") if is_object(choice) else None
    if not is_object(message):
        return reply
    said = {key: message[key] for key in ("content", "tool_calls") if message.get(key) is not None}
    if message.get("function_call") and "tool_calls" not in said:  # as calls were told before there were several
        said["tool_calls"] = [message["function_call"]]
    return {"content": "", **said, "finish_reason": choice.get("finish_reason"), "usage": reply.get("usage")}


def _refuse_hidden_calls(reply: dict[str, Any]) -> None:
    """Calls under a misspelt key would go unseen, and every check that forbids them would pass."""
    for key, value in reply.items():
        if key.lower().replace("_", "").replace("-", "") in _LOOKS_LIKE_CALLS and key not in _KNOWN_KEYS and value:
            raise unreadable(f"$.{key} is not read: tool calls belong under tool_calls, other data under data")


def _words_of(content: Any) -> str | None:
    if content is None or isinstance(content, str):
        return content or ""
    if is_array(content) and all(is_object(part) and "type" in part for part in content):
        return "\n".join(str(part.get("text", "")) for part in content if part["type"] == "text")
    return None


def _typed(reply: dict[str, Any], key: str, wanted: type[Any], words: str) -> Any:
    value = reply.get(key)
    if value is None or isinstance(value, wanted):
        return value
    raise unreadable(f"$.{key} is of type {json_type(value)}, wanted {words}")


# ── pieces ──────────────────────────────────────────────────────────────────────────


def _plus(envelope: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    merged = {**envelope, **said}
    for key in ("tool_calls", "tools"):
        if is_array(envelope.get(key)) and is_array(said.get(key)):
            merged[key] = [*envelope[key], *said[key]]
    return merged


def _joined(texts: list[str | bytes]) -> str:
    # Bytes may be cut inside a character, so they are joined before they are read.
    return _decoded(b"".join(text.encode(errors="surrogatepass") if isinstance(text, str) else text for text in texts))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise unreadable(f"the agent answered bytes that are not UTF-8 text (byte {error.start})") from None


def _json(value: Any) -> Any:
    try:
        return as_json(value)
    except NotJson as problem:
        raise unreadable(f"the agent answered what is not JSON: {problem}") from None


def _checked(reply: AgentReply) -> AgentReply:
    refuse_bad_usage(reply.usage)
    reply = reply if reply.data is UNSET else structs.replace(reply, data=_json(reply.data))
    try:
        msgspec.json.encode(reply)
    except (TypeError, ValueError, RecursionError) as error:
        raise unreadable(f"the agent answered what is not JSON: {error}") from None
    return reply
