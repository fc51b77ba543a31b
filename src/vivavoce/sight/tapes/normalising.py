"""Removes what changes from run to run from requests: ids, times, cache keys. Texts, tools and arguments stay."""

import re
from collections.abc import Iterable, Sequence

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_number, is_object
from vivavoce.notation.json_text import json_or_text
from vivavoce.notation.patterns import compile_pattern
from vivavoce.sight.dialects.dialect import Dialect, Sections

_VOLATILE = (
    (re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"), "<uuid>"),
    # The same without dashes, as in viva's own session ids, which simulators receive.
    (re.compile(r"\b[0-9a-fA-F]{32}\b"), "<uuid>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|\s?[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"\b(?:1[6-9]|2[0-4])\d{8}(?:\d{3})?(?:\.\d+)?\b"), "<epoch>"),
)
_EPOCHS = ((1.6e9, 2.5e9), (1.6e12, 2.5e12))
_DROPPED_PARAMS = frozenset(
    {
        *("stream_options", "user", "metadata", "safety_identifier", "prompt_cache_key", "prompt_cache_retention"),
        *("service_tier", "store", "previous_response_id", "include", "session_id", "request_id", "container"),
    }
)
_DROPPED = frozenset({"status", "encrypted_content", "cache_control", "thoughtSignature", "signature", "annotations"})
"""Fields of messages that do not change what the model is asked."""
_REFERENCES = frozenset({"tool_call_id", "call_id", "tool_use_id"})
_CALLS = frozenset({"function", "custom", "tool_use", "server_tool_use", "mcp_tool_use", "tool_call"})
"""Types of parts whose `id` is the id of a tool call."""
_DATA = frozenset({"arguments", "input", "args", "output", "response", "parameters", "result"})
"""Fields with data of the agent: nothing in them is dropped."""
_SHORTEST_JSON = 2


def clocks_in(texts: Iterable[str]) -> frozenset[str]:
    """Every id and time in these texts. Those in the texts of a case are not replaced."""
    return frozenset(found[0] for text in texts for pattern, _ in _VOLATILE for found in pattern.finditer(text))


class Normaliser:
    """Makes two requests equal that differ only in ids, times and cache keys."""

    def __init__(self, meant: frozenset[str] = frozenset(), ignore: Sequence[str] = ()) -> None:
        """`meant`: ids and times in the case itself. `ignore`: patterns of the project. Raises ValueError."""
        self._meant = meant
        self._ignore = [compile_pattern(pattern) for pattern in ignore]

    def sections(self, raw: Sections) -> Sections:
        ids: dict[str, str] = {}
        params = raw.params if is_object(raw.params) else {}
        return Sections(
            model=raw.model,
            system=self._message(raw.system, ids),
            tools=self.data(raw.tools),
            params=self.data({k: v for k, v in params.items() if k not in _DROPPED_PARAMS and v is not None}),
            talk=[self._message(message, ids) for message in raw.talk],
        )

    def spine(self, dialect: Dialect, talk: JsonArray) -> JsonArray:
        """The part of a conversation that must equal the recorded one: texts, tool calls, and the places of results."""
        spine: JsonArray = []
        for message in talk:
            said = dialect.said(message)
            spoken: JsonObject = {"role": said.role}
            if said.text:
                spoken["text"] = self.text(said.text)
            if said.calls:
                spoken["calls"] = [[name, self.data(args)] for name, args in said.calls]
            if said.results:
                spoken["results"] = said.results
            spine.append(spoken)
        return spine

    def text(self, text: str) -> str:
        """The text with placeholders for ids and times, except those in the case."""
        for pattern in self._ignore:
            text = pattern.sub("<ignored>", text)
        for pattern, placeholder in _VOLATILE:
            text = pattern.sub(lambda found, put=placeholder: found[0] if found[0] in self._meant else put, text)
        return text

    def data(self, value: JsonValue) -> JsonValue:
        """Normalises data of the agent, also JSON inside a text. Drops no field."""
        if is_object(value):
            return {self.text(str(key)): self.data(inner) for key, inner in value.items()}
        if is_array(value):
            return [self.data(inner) for inner in value]
        if isinstance(value, str):
            inside = json_or_text(value) if len(value) >= _SHORTEST_JSON and value.lstrip()[:1] in ("{", "[") else value
            return self.text(value) if isinstance(inside, str) else self.data(inside)
        if is_number(value) and any(low <= value < high for low, high in _EPOCHS) and f"{value}" not in self._meant:
            return "<epoch>"
        return value

    def _message(self, value: JsonValue, ids: dict[str, str]) -> JsonValue:
        if is_array(value):
            return [self._message(inner, ids) for inner in value]
        if not is_object(value):
            return self.text(value) if isinstance(value, str) else value
        kept: JsonObject = {}
        is_result = "tool_use_id" in value or "tool_call_id" in value
        for key, inner in value.items():
            if inner is None or key in _DROPPED:
                continue
            if key in _REFERENCES or (key == "id" and (value.get("type") in _CALLS or "args" in value)):
                kept["ref"] = ids.setdefault(str(inner), f"#{len(ids)}")
            elif key == "id":
                continue
            elif key in _DATA or (is_result and key == "content"):
                kept[key] = self.data(inner)
            else:
                kept[key] = self._message(inner, ids)
        return kept
