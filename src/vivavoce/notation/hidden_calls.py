"""Finds what looks like a tool call in data, state or text. Targets report it as unread."""

import re
from collections.abc import Mapping

from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_number, is_object
from vivavoce.model.message import MayHold, Unread
from vivavoce.notation.data_in_text import KEY_IN_QUOTES, data_in_text
from vivavoce.wording.quoting import cut

CALL_KEYS = frozenset(
    {
        *("toolcall", "toolcalls", "toolscalled", "functioncall", "functioncalls", "tooluse", "tooluses"),
        *("toolinvocation", "toolinvocations", "calledtools", "intermediatesteps", "toolexecutions"),
        "executablecode",
    }
)
"""Keys under which replies list tool calls, or code that may make calls. Lower case, without `_` and `-`."""
_NAMES = frozenset({"name", "tool", "toolname", "function", "functionname", "action", "recipientname"})
_KEYS_OF_NAMES = _NAMES | {"toolcallname", "actionname"}
_ARGUMENTS = frozenset(
    {"args", "arguments", "input", "parameters", "params", "toolinput", "toolargs", "actioninput", "kwargs"}
)
_KINDS = ("type", "kind", "role", "event")
"""Keys for the kind of a log entry: `{"type": "tool", "name": "refund"}`."""
_IDS = frozenset({"toolcallid", "tooluseid"})
_OF_A_CALL = _ARGUMENTS | _IDS
_KINDS_OF_CALLS = tuple(CALL_KEYS)
"""How the type of a call may end: `mcp_tool_call`, `tool_call_item`."""
OFFERS = (
    "(?i)available|allowed|selected|offered|bound|enabled|description|defin|schema"
    "|capabilit|permission|denied|blocked|forbidden|disabled|supported|config"
)
"""Keys of lists of available tools, which say nothing about calls."""
_PIECE = 160
_DEEPEST = 40
_LONGEST = 200_000
"""Searching longer texts for JSON would take seconds: only tags and keys are searched there."""
_TAGS = (
    r"(?i)<\W{0,8}(?:\w{1,30}[:|｜])?(?:tool[_▁](?:call|use|request)|function_call|function=|invoke\s+name"
    r"|python_(?:tag|start)|(?:tool|action|function)\s+name\s*=|call\|>)"
)
_PYTHONIC = r"(?s)\s*\[\s*[\w.]+\((?:\s*\w+\s*=.*)?\)\s*\]\s*"
"""A text that is only a list of Python calls, as Llama writes them."""
_OBJECT = r"\b(?:Tool|Function)(?:Call|Use)\w{0,30}\("
"""A call as Python prints objects of many libraries."""
_YAML = (
    r"(?m)^[ \t]*(?:- )?(?:(?:tool|tool_name|function|function_name)[ \t]*:[ \t]*[\w.\"'-]+[ \t]*\r?\n(?:.*\n){0,2}?"
    r"[ \t]*(?:args|arguments|input|parameters|params|tool_input)"
    r"|name[ \t]*:[ \t]*[\w.\"'-]+[ \t]*\r?\n(?:.*\n){0,2}?[ \t]*(?:args|arguments|parameters))[ \t]*:"
)
"""A call written as YAML: a line with the tool, and shortly after it a line with the arguments."""
_YAML_LIST = r"(?m)^[ \t]*(?:- )?tool_?calls?[ \t]*:"
_VERBOSE = (
    r"(?m)^(?:Invoking: `[\w.-]+` with |[# \t]*Using tool: ?\w|[●⏺] [\w.-]+\(\w+: |\[\[tool_?calls\]\])"
    r"|\btool_?[cC]alls\s*:\s*\[\s*\{"
)
"""How programs print their calls: LangChain, CrewAI, Claude Code, TOML, JSON without quotes."""
_MARKS_OF_VERBOSE = ("Invoking: `", "Using tool:", "● ", "⏺ ", "tool_calls", "toolCalls")
_ACTS = frozenset({"steps", "actions", "action", "invocations", "calls", "executed", "executions", "executedactions"})
_TOLD_KEYS = CALL_KEYS | (_ACTS - {"action"})


def unread(value: JsonValue, where: str, may_hold: MayHold = "both") -> Unread:
    """Returns the value, shortened, as a piece that could not be read."""
    text = value if isinstance(value, str) else compact_json(value)
    return Unread(cut(text, _PIECE), where, may_hold)


def plain_key(key: str) -> str:
    """Returns one form for `toolCalls`, `tool-calls` and `tool_calls`."""
    return key.lower().replace("_", "").replace("-", "")


def tool_names_in(told: Mapping[str, JsonValue]) -> set[str]:
    """Returns all texts under keys for the name of a tool. More than one: it is unclear which tool was called."""
    return {name for key, name in told.items() if isinstance(name, str) and name and plain_key(key) in _KEYS_OF_NAMES}


def looks_like_calls(value: JsonValue, depth: int = 0) -> bool:
    """Whether a value, or anything inside it, may be a tool call."""
    if depth > _DEEPEST:
        return True
    if is_object(value):
        value = _besides_schema(value)
        if is_kind_of_call(value) or names_and_arguments(value)[1]:
            return True
        if any(plain_key(key) in CALL_KEYS for key in value if value[key]):
            return True
        if any(_keyed_by_tools(value[key]) for key in value if plain_key(key) in _ACTS):
            return True
        return any(looks_like_calls(inner, depth + 1) for inner in value.values())
    if is_array(value):
        return any(looks_like_calls(inner, depth + 1) for inner in value)
    return isinstance(value, str) and calls_in_text(value, depth + 1)


def names_and_arguments(value: JsonObject) -> tuple[list[JsonValue], bool]:
    """What stands under keys for a tool's name, and whether there are such names beside arguments."""
    names = [told for key, told in value.items() if told and plain_key(key) in _NAMES]
    return names, bool(names) and not _OF_A_CALL.isdisjoint(map(plain_key, value))


def is_kind_of_call(value: JsonObject) -> bool:
    """Whether the type or an id says that an object is a call."""
    kind = value.get("type")
    if isinstance(kind, str) and plain_key(kind).removesuffix("item").endswith(_KINDS_OF_CALLS):
        return True
    # The AI SDK writes the name into the type: {"type": "tool-refund", "toolCallId": "c1", "input": {…}}.
    if not any(plain_key(key) in _IDS for key in value if value[key]):
        return False
    return str(kind).startswith("tool-") or not _ARGUMENTS.isdisjoint(map(plain_key, value))


def _keyed_by_tools(acts: JsonValue) -> bool:
    """Whether a list has entries that are nothing but a tool's name and its arguments: `[{"refund": {"id": 7}}]`."""
    entries = acts if is_array(acts) else [acts]
    return any(is_object(entry) and len(entry) == 1 and is_object(*entry.values()) for entry in entries)


def names_tools(value: JsonValue, depth: int = 0) -> bool:
    """Whether the keys of unknown fields mention tools; their texts are not searched."""
    if depth > _DEEPEST:
        return True
    if is_array(value):
        return any(names_tools(inner, depth + 1) for inner in value)
    if not is_object(value):
        return False
    value = _besides_schema(value)
    keys = {plain_key(key) for key in value if says_something(value[key])}
    if any(key in _TOLD_KEYS for key in keys):
        return True
    if any(_promises_tools(key, told) for key, told in value.items() if says_something(told)):
        return True
    if keys & _NAMES and not _ARGUMENTS.isdisjoint(map(plain_key, value)):
        return True
    kinds = [plain_key(kind) for key in _KINDS if isinstance(kind := value.get(key), str)]
    if any(kind in CALL_KEYS or kind.startswith("tool") for kind in kinds):
        return True
    # `adk_type` and the like name the kind of the fields next to them.
    others = [each for key, each in value.items() if isinstance(each, str) and key.lower().endswith(("type", "kind"))]
    if any(plain_key(each) in CALL_KEYS or plain_key(each) == "functionresponse" for each in others):
        return True
    return any(names_tools(inner, depth + 1) for inner in value.values())


def _promises_tools(key: str, told: JsonValue) -> bool:
    plain = plain_key(key)
    if "tool" not in plain or plain.endswith(("id", "choice")) or re.search(OFFERS, key):
        return False
    return not (is_array(told) and all(is_object(each) and _is_definition(each) for each in told))


def _is_definition(value: JsonObject) -> bool:
    function = value.get("function")
    told = function if is_object(function) else value
    return len(_besides_schema(told)) < len(told)


def promises_calls(key: str) -> bool:
    """Whether a key is one under which calls are listed, or their names."""
    plain = plain_key(key)
    is_of_tools = "tool" in plain and plain not in _NAMES and not plain.endswith(("id", "choice"))
    return plain in _TOLD_KEYS or plain == "action" or is_of_tools


def _besides_schema(value: JsonObject) -> JsonObject:
    """An object without the schema of parameters, if it says what a tool is: it is no call then."""
    schema = value.get("parameters")
    if "description" not in value or not is_object(schema):
        return value
    if not is_object(schema.get("properties")) and schema != {"type": "object"}:
        return value
    return {key: inner for key, inner in value.items() if key != "parameters"}


def mentions_calls(value: JsonValue) -> bool:
    """Whether an unread part of a reply mentions calls, by its form or by its keys."""
    return looks_like_calls(value) or names_tools(value)


def says_something(value: JsonValue) -> bool:
    """Whether a value contains a text that is not blank, or an object with a number other than 0."""
    if is_object(value):
        return any(says_something(inner) or (is_number(inner) and inner) for inner in value.values())
    return any(map(says_something, value)) if is_array(value) else isinstance(value, str) and value.strip() != ""


def calls_in_text(text: str, depth: int = 0) -> bool:
    """Whether a text may contain a call: as JSON, complete or cut off, or in the tags that models write."""
    if marks_of_calls(text):
        return True
    if "{" not in text or len(text) > _LONGEST:
        return False
    return any(looks_like_calls(value, depth + 1) for value in data_in_text(text))


def marks_of_calls(text: str) -> bool:
    """Whether a text has tags or keys with which models write calls, which the server should have removed."""
    return marks_besides_yaml(text) or ("\n" in text and ":" in text and re.search(_YAML, text) is not None)


def marks_besides_yaml(text: str) -> bool:
    """The same without YAML of a name and arguments, which other things have too, such as Kubernetes' containers."""
    # Search for one character first, because long texts are searched after every turn.
    if "<" in text and re.search(_TAGS, text):
        return True
    if "[" in text and ("[TOOL_CALLS]" in text or (")]" in text and re.fullmatch(_PYTHONIC, text))):
        return True
    if ("=" in text and "to=functions." in text) or ("`" in text and "```tool_code" in text):
        return True
    if "(" in text and ("Call" in text or "Use" in text) and re.search(_OBJECT, text):
        return True
    if "\nAction Input:" in text or ("all" in text and re.search(_YAML_LIST, text)):
        return True
    if any(mark in text for mark in _MARKS_OF_VERBOSE) and re.search(_VERBOSE, text):
        return True
    return "{" in text and any(plain_key(key) in CALL_KEYS for key in re.findall(KEY_IN_QUOTES, text))
