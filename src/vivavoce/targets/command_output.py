"""What a program printed → AgentReply. Output with JSON in it is read as a whole or is an error, never half of it."""

import re
from typing import Any

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import is_array, is_object
from vivavoce.model.message import AgentReply, Unread
from vivavoce.model.value_count import TOO_MANY, has_many_values
from vivavoce.notation.data_in_text import data_in_text
from vivavoce.notation.hidden_calls import calls_in_text, looks_like_calls
from vivavoce.notation.json_text import json_or_text, repeats_a_key
from vivavoce.targets.call_reading import unreadable
from vivavoce.targets.envelopes import is_envelope
from vivavoce.targets.foreign_replies import from_foreign
from vivavoce.targets.reply_reading import decoded, read_text, read_value

_FENCED = re.compile(r"```[ \t]*+(?:jsonc?[ \t]*+|json5[ \t]*+)?\r?\n(.*)\n?```", re.DOTALL | re.IGNORECASE)
_BEGINS_LIKE_JSON = re.compile(r'\{\s*(?:"|$)|\[\s*(?:\{|"|$)')
_REPLY_KEY = re.compile(r'\{\s*"(?:content|text|tool_calls|tools|calls|data|messages?|choices|output|role)"\s*:')

_NOTHING_PRINTED = Unread("nothing (was the answer printed to stderr?)", "what the program printed", "words")
"""Stands for the words of a program that printed nothing: it may have written them somewhere else."""


def read_output(stdout: bytes, said: str = "") -> AgentReply:
    """A JSON object or array is read as such, also inside one fence; all else is text."""
    text = decoded(stdout).replace("\ufeff", "").strip()
    if not text:
        return AgentReply(shows_calls=False, unread=(_NOTHING_PRINTED,))
    if "{" not in text and "<" not in text and not text.startswith("["):
        return read_text(text, said)
    fenced = _FENCED.fullmatch(text)
    printed = (fenced[1] if fenced else text).strip()
    if has_many_values(printed):
        raise unreadable(f"the output has {TOO_MANY}")
    value: Any = json_or_text(printed)
    if is_object(value) or is_array(value):
        if repeats_a_key(printed):
            raise _half("the output has an object with a key written twice", text)
        return read_value(value, said)
    if _BEGINS_LIKE_JSON.match(text):
        raise _half("the output begins like JSON but is not JSON", text)
    if _REPLY_KEY.search(text) or calls_in_text(text) or any(_is_reply(inside) for inside in data_in_text(text)):
        raise _half("the output holds JSON and something else", text)
    return read_text(text, said)


def _is_reply(value: Any) -> bool:
    return (is_object(value) and is_envelope(value)) or from_foreign(value, "") is not None or looks_like_calls(value)


def _half(what: str, text: str) -> CallFailed:
    shown = text if len(text) <= 160 else f"{text[:100]}…{text[-60:]}"
    failure = unreadable(f"{what}: {shown}")
    return CallFailed(
        failure.what, fault="agent", hint="print one JSON value and nothing else on stdout; logs belong on stderr"
    )
