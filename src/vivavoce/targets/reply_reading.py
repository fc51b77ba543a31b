"""What user code returned → AgentReply: one reading for callables, commands and scripts."""

from typing import Any

import msgspec
from msgspec import UNSET, structs

from vivavoce.model.json_value import is_array, is_object, text_of
from vivavoce.model.message import AgentReply, Unread
from vivavoce.model.value_count import TOO_MANY, holds_many_values
from vivavoce.notation.data_in_text import data_in_text
from vivavoce.notation.hidden_calls import (
    calls_in_text,
    looks_like_calls,
    marks_of_calls,
    says_something,
    unread,
)
from vivavoce.notation.json_text import json_or_text, repeats_a_key
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.targets.call_reading import refuse_bad_usage, unreadable
from vivavoce.targets.envelopes import CALL_LISTS, from_envelope, is_envelope, is_plain_envelope, refuse_hidden_calls
from vivavoce.targets.foreign_replies import from_foreign

_BY_CALLS = frozenset({"tool_calls", "function_call", "tool_use"})
"""The endings of an answer that asks for calls. When none was read, one stands where nobody looked."""
NOTHING_RETURNED = Unread("None (is a `return` missing?)", "what the agent returned", "words")
"""Stands for the words of an agent that returned None: it may have printed or kept them."""


def read_reply(value: Any, said: str = "") -> AgentReply:
    """Text, a dict of the known keys, a framework's messages, structured data, an AgentReply, or nothing.

    `said` is the user's line: of a whole conversation only what follows it is the reply.
    """
    if type(value) is str and "{" not in value and value.isascii() and not marks_of_calls(value):
        return AgentReply(text=value, shows_calls=False)
    if isinstance(value, AgentReply):
        return checked(value)
    if isinstance(value, bytes | bytearray):
        return read_text(decoded(bytes(value)), said)
    plain = json_of(value)
    if plain is None:
        return AgentReply(shows_calls=False, unread=(NOTHING_RETURNED,))
    if isinstance(plain, str):
        return read_text(plain, said)
    return read_value(plain, said)


def read_value(plain: Any, said: str = "") -> AgentReply:
    """The reply that a JSON value other than a text stands for."""
    reply = _read_value(plain, said)
    if reply.calls:
        return reply
    ended: Any = reply.finish_reason or (plain.get("stop_reason") if is_object(plain) else None)
    if not isinstance(ended, str) or ended not in _BY_CALLS:
        return reply
    return structs.replace(reply, unread=(*reply.unread, unread(ended, "how the answer ended", "call")))


def _read_value(plain: Any, said: str) -> AgentReply:
    if is_plain_envelope(plain):
        return from_envelope(plain)
    if (foreign := from_foreign(plain, said)) is not None:
        return foreign
    if is_object(plain):
        refuse_hidden_calls(plain)
        if is_envelope(plain):
            return from_envelope(plain)
    missed = (suspected_call(plain, "$"),) if looks_like_calls(plain) else ()
    return AgentReply(text=text_of(plain), data=plain, shows_calls=False, unread=missed)


def read_text(text: str, said: str = "") -> AgentReply:
    """Plain words; but a text that is the JSON of a reply with calls is read as that reply."""
    if "<" not in text and "{" not in text and not marks_of_calls(text):
        return AgentReply(text=text, shows_calls=False)
    if not calls_in_text(text) and not _lists_calls(text):
        return AgentReply(text=text, shows_calls=False)
    value = json_or_text(text.strip())
    if (is_object(value) or is_array(value)) and not repeats_a_key(text):
        reply = read_value(value, said)
        if reply.calls or reply.shows_calls:
            return reply
    return AgentReply(text=text, shows_calls=False, unread=(suspected_call(text, "the text"),))


def _lists_calls(text: str) -> bool:
    """Whether a text is nothing but a reply in viva's own form with calls in it, as JSON or as Python prints it."""
    told = [value for value in data_in_text(text.strip()) if is_object(value)] if text.lstrip()[:1] in "{\"'" else []
    return any(says_something(value.get(key)) for value in told[:1] for key in CALL_LISTS)


def decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise unreadable(f"the agent answered bytes that are not UTF-8 text (byte {error.start})") from None


def json_of(value: Any) -> Any:
    """The value as plain JSON. Raises CallFailed for what is none."""
    if holds_many_values(value):
        raise unreadable(f"the agent answered {TOO_MANY}")
    try:
        return as_json(value)
    except NotJson as problem:
        raise unreadable(f"the agent answered what is not JSON: {problem}") from None


def checked(reply: AgentReply) -> AgentReply:
    """A ready-made reply, once its figures and values are sound."""
    refuse_bad_usage(reply.usage)
    reply = reply if reply.data is UNSET else structs.replace(reply, data=json_of(reply.data))
    try:
        msgspec.json.encode(reply)
    except (TypeError, ValueError, RecursionError) as error:
        raise unreadable(f"the agent answered what is not JSON: {error}") from None
    return reply
