"""Parts of a stream that are no calls in AG-UI but may hold some: states, custom events, provider dumps.

Servers often repeat their calls there, so these places are judged when the run is over and its calls are known.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, iter_texts, json_equal
from vivavoce.model.message import Unread
from vivavoce.notation.hidden_calls import looks_like_calls, plain_key, unread
from vivavoce.notation.json_text import call_arguments
from vivavoce.notation.possible_names import possible_names
from vivavoce.targets.ag_ui.call_book import CallDraft
from vivavoce.targets.ag_ui.interrupts import LEGACY
from vivavoce.targets.ag_ui.spelling import is_about_calls, names_of

KnownCalls: TypeAlias = Mapping[str, JsonArray | None]
"""The arguments of the known calls, by the name of their tool; None: any arguments."""
_NAMES = frozenset({"name", "tool", "toolname", "toolcallname", "functionname", "action", "actionname"})
_OF_A_CALL = _NAMES | {"function", "args", "arguments", "input", "parameters", "toolinput", "toolargs", "params"}
_NO_WORDS_OF_THE_AGENT = frozenset({"tool", "user", "human", "system", "developer"})
_IN_RAW = re.compile(
    rb'(?:ool(?:_?[cC]alls?\\*"\s*:\s*(?:\\*")?[\[{]\s*[^\s\]}]|CallName\\*"|CallId\\*"|_start|_use\\*"|s/call\\*")'
    rb'|unction_?[cC]all\\*"|ction_?[iI]nput\\*").{0,200}',
    re.DOTALL,
)


CALLS_BESIDE = frozenset({"toolCalls", "tool_calls", "toolCall", "tool_call", "functionCall", "function_call"})
_READ = frozenset({"type", "timestamp", "rawEvent", "threadId", "runId", "outcome", "messageId"})
_READ_OF_STATES = _READ | {"snapshot", "delta"}
STATE = "the state"
_OF_TOOLS = re.compile(r"used|last_?tool|called|executed|invo(?:ked|cation)|logs?$|trace|by_?tool", re.IGNORECASE)
"""Keys of what was done. A state may name a tool under other keys: `{"tool": "refund", "allowed": false}`."""
_PREDICTED = "PredictState"
"""CopilotKit's event about tools that may be called."""


class Suspects:
    """What may tell calls in one turn."""

    def __init__(self) -> None:
        self._parts: list[tuple[JsonValue, str]] = []
        self._frames: list[bytes] = []
        self._seen: set[bytes] = set()

    def __bool__(self) -> bool:
        return bool(self._parts or self._frames)

    def add(self, value: JsonValue, where: str) -> None:
        if value:
            self._parts.append((value, where))

    def add_raw(self, frame: bytes) -> None:
        """A provider dump, which can be long and is only decoded when it holds a call that no earlier dump had."""
        if (
            (b"ool" in frame or b"ction" in frame)
            and (told := _IN_RAW.findall(frame))
            and not self._seen.issuperset(told)
        ):
            self._seen.update(told)
            self._frames.append(frame)

    def judged(self, known: KnownCalls) -> Iterator[Unread]:
        """Yields what looks like a call but is not one of the known calls, and forgets everything.

        Dumps of a provider hold pieces of calls: there the name of a known call is enough.
        """
        dumps: list[tuple[JsonValue, str]] = [(_of_raw(frame), "an event of type RAW") for frame in self._frames]
        parts, self._parts, self._frames = self._parts, [], []
        by_name: KnownCalls = dict.fromkeys(known)
        for calls, suspects in ((known, parts), (by_name, dumps)):
            for value, where in suspects:
                rest = _without(calls, value)
                if looks_like_calls(value) and looks_like_calls(rest):
                    yield unread(value, where, "call")
                elif suspects is parts:
                    yield from _names_in(rest, where, known)


def known_calls(calls: Iterable[CallDraft], sent: Iterable[Mapping[str, JsonValue]]) -> KnownCalls:
    """The arguments of every call received from or sent to the server, by the name of its tool."""
    known: dict[str, JsonArray | None] = {}
    for draft in calls:
        known[draft.name] = [*(known.get(draft.name) or ()), draft.args]
    # The server may repeat what it was sent, in any form.
    return known | dict.fromkeys(name for call in sent for name in names_of(call))


def unread_part(kind: str, event: JsonObject) -> JsonValue:
    """What an event tells besides what is read of it; None when nothing."""
    name = event.get("name")
    if kind == "CUSTOM" and name in (LEGACY, _PREDICTED):
        return None
    read = _READ_OF_STATES if kind.startswith("STATE_") else _READ
    rest = {key: value for key, value in event.items() if key not in read and value}
    if isinstance(name, str) and is_about_calls(name):
        del rest["name"]
        return {"tool_call": rest["value"] if rest.keys() == {"value"} else rest}
    return rest


def what_is_new(state: JsonValue, sent: JsonValue) -> JsonValue:
    """The parts of a state that were not sent to the server just so."""
    if not is_object(state) or not is_object(sent):
        return state
    return {key: value for key, value in state.items() if key not in sent or sent[key] != value}


def _names_in(value: JsonValue, where: str, known: KnownCalls) -> Iterator[Unread]:
    """Words that may name a called tool: in events all texts, in states those under keys such as `tools_used`."""
    texts = [] if where == STATE else [text for text in iter_texts(value) if text not in known]
    for piece in possible_names([*texts, *_values_about_tools(value)], where):
        # A large state may have very many words, which say nothing then.
        if piece.is_name and not known.keys() >= set(piece.tool.split()):
            yield piece


def _values_about_tools(value: JsonValue, depth: int = 0) -> Iterator[JsonValue]:
    if is_array(value):
        for inner in value if depth < 40 else ():
            yield from _values_about_tools(inner, depth + 1)
    elif is_object(value):
        for key, inner in value.items():
            if _OF_TOOLS.search(key) and not key.endswith(("id", "Id")):
                yield inner
            elif depth < 40:
                yield from _values_about_tools(inner, depth + 1)


def _of_raw(frame: bytes) -> JsonValue:
    try:
        event: JsonObject = msgspec.json.decode(frame, type=JsonObject)
    except (ValueError, RecursionError):
        return frame.decode("utf-8", "replace")
    dump = event.get("event")
    if event.get("type") != "RAW" or (is_object(dump) and dump.get("event") == "on_tool_start"):
        return {"tool_call": event if dump is None else dump}
    return event


def _without(known: KnownCalls, value: JsonValue, depth: int = 0) -> JsonValue:
    """The value without calls of known tools, definitions of tools, and the words of others than the agent."""
    if depth > 40:
        return value
    if is_array(value):
        kept = (_without(known, inner, depth + 1) for inner in value)
        return [inner for inner in kept if inner is not None]
    if not is_object(value):
        return value
    if _is_definition(value) or _is_call_of(known, value):
        return None
    said = _NO_WORDS_OF_THE_AGENT.isdisjoint(str(value.get(key)) for key in ("role", "type"))
    return {key: _without(known, inner, depth + 1) for key, inner in value.items() if said or key != "content"}


def _is_call_of(known: KnownCalls, value: JsonObject) -> bool:
    """Whether an object is a call of a known tool and nothing more."""
    function = value.get("function")
    told = {**value, **function} if is_object(function) else value
    names = [told[key] for key in told if plain_key(key) in _NAMES and isinstance(told[key], str)]
    if isinstance(function, str):
        names.append(function)
    if not names and str(value.get("type")).startswith("tool-"):  # the AI SDK
        names.append(str(value["type"]).removeprefix("tool-"))
    if not names or not all(name in known for name in names):
        return False
    if not all(_has_arguments_of(known[name], told) for name in names):
        return False
    rest = {key: inner for key, inner in value.items() if plain_key(key) not in _OF_A_CALL and key != "type"}
    return not looks_like_calls(rest)


def _has_arguments_of(calls: JsonArray | None, told: JsonObject) -> bool:
    """Whether the given arguments, if any, are those of one of the calls; None stands for any."""
    given = [call_arguments(told[key]) for key in told if plain_key(key) in _OF_A_CALL - _NAMES - {"function"}]
    whole = [each for each in given if is_object(each) and each]
    return calls is None or not whole or any(json_equal(whole[0], args) for args in calls)


def _is_definition(value: JsonObject) -> bool:
    """Whether an object says what a tool is, with the schema of its parameters."""
    function = value.get("function")
    told = function if is_object(function) else value
    schema = told.get("parameters")
    return "description" in told and is_object(schema) and (not schema or is_object(schema.get("properties")))
