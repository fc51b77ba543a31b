"""The fake model behind every live server: what it does next, by what the user said last."""

import json
import uuid
from dataclasses import dataclass, field
from typing import Any


class ModelExploded(RuntimeError):
    """The model's connection broke in the middle of its answer."""


@dataclass
class Move:
    """Words, then calls, then perhaps a catastrophe."""

    words: list[str] = field(default_factory=list)
    calls: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    """id, tool, arguments"""
    explodes: bool = False


def next_move(user_texts: list[str], results: list[Any]) -> Move:
    """`results` are those of the tools called since the user spoke last."""
    said = user_texts[-1] if user_texts else ""
    if results:
        return Move(["Done: ", ", ".join(_plain(result) for result in results)])
    if "both" in said:
        return Move(calls=[_call("get_weather", city="Paris"), _call("get_weather", city="Rome")])
    if "weather" in said:
        return Move(["Let me ", "look. "], [_call("get_weather", city="Paris")])
    if "paint" in said:
        return Move(calls=[_call("change_color", color="red")])
    if "delete" in said:
        return Move(calls=[_call("delete_file", path="/tmp/x")])
    if "explode" in said:
        return Move(["Partial "], explodes=True)
    if "count" in said:
        return Move([f"I have seen {len(user_texts)} user messages."])
    return Move(["Hello ", "there."])


def weather_in(city: str) -> str:
    return json.dumps({"city": city, "temp": 21})


def _call(tool: str, **args: Any) -> tuple[str, str, dict[str, Any]]:
    return f"call_{uuid.uuid4().hex[:12]}", tool, args


def _plain(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result)
