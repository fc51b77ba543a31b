"""Pieces of cases that several imports write."""

import math
from string import ascii_uppercase

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_number, is_object, text_of
from vivavoce.notation.json_text import call_arguments


def judge_check(words: str, threshold: JsonValue = None) -> JsonObject:
    """A check that asks a judge whether a criterion is met."""
    return {"type": "agent", "value": words, **({} if threshold is None else {"threshold": threshold})}


def same_meaning_check(text: str) -> JsonObject:
    """A check that asks a judge whether the answer means the same as a text."""
    return {"type": "agent", "criteria": "same_meaning", "reference": text}


def simulator(goal: str, persona: str = "") -> JsonObject:
    """A user played by viva's simulator."""
    metadata = {"goal": goal, **({"persona": persona} if persona else {})}
    return {"use": "viva.simulator", "options": {"metadata": metadata}}


def call_check(name: str, arguments: JsonValue = None) -> JsonObject:
    """A check that a tool was called, with at least these arguments."""
    read = call_arguments(arguments)
    return {"type": "tool_called", "name": name, **({"arguments": read} if is_object(read) and read else {})}


def user_input(value: JsonValue) -> JsonObject:
    """The field with what the user says: a text as `input`, messages as `messages`, anything else as JSON text."""
    if is_array(value) and value and all(is_object(message) and "role" in message for message in value):
        return {"messages": [_message(message) for message in value]}
    return {"input": text_of(value)}


def with_choices(asked: JsonValue, choices: list[str]) -> JsonValue:
    """Writes the choices below a question. Messages are returned as they are: they list their choices already."""
    if not choices or not isinstance(asked, str):
        return asked
    listed = "\n".join(f"{letter}) {choice}" for letter, choice in zip(ascii_uppercase, choices, strict=False))
    return f"{asked}\n\n{listed}\n\nAnswer with the letter only."


def finite_number(value: JsonValue) -> float | None:
    """Returns a finite number; None for anything else, also for YAML's `.inf` and `.nan`."""
    return float(value) if is_number(value) and math.isfinite(value) else None


def texts(value: JsonValue) -> list[str]:
    """A text or a list of them, as a list."""
    found: JsonArray = list(value) if is_array(value) else [] if value is None else [value]
    return [text_of(one) for one in found]


def _message(message: JsonObject) -> JsonObject:
    role: JsonValue = "system" if message["role"] == "developer" else message["role"]
    return {**message, "role": role}
