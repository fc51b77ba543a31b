"""Finds spans that may be tool calls in a form that viva cannot read."""

import re
from collections.abc import Iterator, Sequence

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, iter_texts
from vivavoce.model.message import Unread
from vivavoce.notation.hidden_calls import looks_like_calls, tool_names_in
from vivavoce.notation.possible_names import names_beside, possible_names
from vivavoce.sight.spans.dialects import hand_off, is_framework, is_summary, model_call, tool_call
from vivavoce.sight.spans.span import Span, ancestors
from vivavoce.sight.spans.unwrapping import data

_NAME_OF_A_TOOL = re.compile(r"(?:^|(?<!^code)[._])(?:tool(?:[._]?call)?[._]?names?|function[._]names?)\s*$")
"""Attributes that name a tool, in lower case."""
_ARGUMENTS_OF_A_TOOL = re.compile(r"(?:^|[._])tool(?:[._]?call)?[._]?(?:arg(?:ument)?s?|input|parameters|params)\s*$")
_TRACELOOP_KINDS = ("workflow", "task", "agent", "tool", "session", "unknown")
_KIND = re.compile(
    r"(?:^|[._])(?:kinds?|operation[._]?names?|operationids?|(?:observation|span)[._]?types?|method[._]names?|rpc[._]method)"
    r"\s*$"
)
"""Attributes that say what kind of span it is, in lower case."""
_TOOL_KIND = re.compile(r"(?:ai\.|execute_)?tool(?:[._-]?call)?s?|tools/call|function(?:[._-]?call)?")

_READ = re.compile(
    r"gen_ai\.(?:tool\.(?:name|type|description|status|call\.(?:id|arguments|result))|operation\.name|prompt|completion"
    r"|system|(?:agent|conversation|provider|usage)\..*)|tool\.(?:name|description|parameters)|tool_call\.id"
    r"|tool_(?:arguments|response)|(?:input|output)\.(?:value|mime_type)|ai\.(?:operationId|toolCall\..*|telemetry\..*)"
    r"|traceloop\.(?:entity\.(?:name|input|output|path|version)|(?:association|workflow|span)\..*)"
    r"|code\.(?!function)\S*|(?:langsmith|openinference|logfire|gcp\.vertex|mcp|session|service|telemetry|error|exception"
    r"|thread|process|http|url|server|network|otel)\..*|error"
)
"""Attributes of known conventions: calls in them are read, or found by the patterns above."""

_ANSWER = re.compile(r"gen_ai\.(?:output|completion)|llm\.output|ai\.response|output\.value")
"""Attributes with the answer of a model."""
_KNOWN_EVENT = re.compile(r"exception$|gen_ai\.|ai\.stream\.")
"""Events with what a model was given, an error, or the progress of a stream."""
_NAMES_AT_ONCE = 200
_DEEPEST = 20


def suspects_among(spans: Sequence[Span]) -> Iterator[Span]:
    """The spans that look like tool calls and are not read as tool calls."""
    by_key = {span.key: span for span in spans}
    for span in spans:
        if tool_call(span) is not None or is_summary(span) or not _looks_like_a_call(span):
            continue
        if not any(_is_part_of(span, above) for above in ancestors(span, by_key)):
            yield span


def _looks_like_a_call(span: Span) -> bool:
    if any(_names_a_tool(attributes) for _, attributes in span.events):
        return True
    if hand_off(span) is not None or model_call(span) is not None:
        return False
    attributes = _flat(span.attributes)
    if "traceloop.entity.name" in attributes and attributes.get("traceloop.span.kind") not in _TRACELOOP_KINDS:
        return True
    return span.name.startswith("execute_tool") or _names_a_tool(attributes) or _is_of_a_tool(attributes)


def words_beside(spans: Sequence[Span]) -> list[Unread]:
    """Words that viva does not read in spans: one of them may be the name of a called tool.

    The spans of models and agents list the tools that they may call: of these only the calls in answers count.
    """
    found: dict[Unread, None] = {}
    names: dict[str, None] = {}
    known = {call.name for span in spans if (call := tool_call(span)) is not None}
    for span in spans:
        where = f"the span {span.name or span.id!r}"
        is_tool, is_model = tool_call(span) is not None, model_call(span) is not None
        if is_tool or not (is_model or is_framework(span)):
            rest = {key: value for key, value in span.attributes.items() if not _READ.fullmatch(key)}
            found |= dict.fromkeys(names_beside(rest, (), where))
        answers = [value for key, value in span.attributes.items() if is_model and _ANSWER.match(key)]
        for name, told in span.events:
            if name == "gen_ai.choice":
                answers += told.values()
            elif not _KNOWN_EVENT.match(name):
                found |= dict.fromkeys(possible_names([name, told], f"an event of {where}"))
        for name in dict.fromkeys(named for answer in answers for named in _called_in(data(answer))):
            if name not in known:
                found[Unread(name, where, "name", name)] = None
        if not is_tool and not is_model and (not is_framework(span) or _is_any_function(span.attributes)):
            names[span.name] = None
    several = list(names)
    for at in range(0, len(several), _NAMES_AT_ONCE):
        found |= dict.fromkeys(possible_names(several[at : at + _NAMES_AT_ONCE], "the names of spans"))
    return list(found)


def _called_in(answer: JsonValue, depth: int = 0) -> Iterator[str]:
    """The names of the tools that a model's answer calls, in whatever form."""
    if not is_object(answer) and not is_array(answer):
        return
    if is_object(answer) and looks_like_calls(answer):
        yield from tool_names_in(answer)
    for inner in answer.values() if is_object(answer) else answer:
        if depth < _DEEPEST:
            yield from _called_in(data(inner), depth + 1)


def _is_any_function(attributes: JsonObject) -> bool:
    """Whether a span is one that people put around functions of their own, which may be tools."""
    return attributes.get("traceloop.span.kind") == "task" or attributes.get("openinference.span.kind") == "CHAIN"


def _flat(attributes: JsonObject) -> JsonObject:
    """The attributes together with those inside of objects and lists of objects."""
    inner: JsonObject = {}
    for value in attributes.values():
        for each in value if is_array(value) else (value,):
            if is_object(each):
                inner |= _flat(each)
    return {**inner, **attributes}


def _names_a_tool(attributes: JsonObject) -> bool:
    return any(
        value and (_NAME_OF_A_TOOL.search(key.lower()) or _ARGUMENTS_OF_A_TOOL.search(key.lower()))
        for key, value in attributes.items()
    )


def _is_of_a_tool(attributes: JsonObject) -> bool:
    return any(
        _KIND.search(key.lower()) and any(_TOOL_KIND.fullmatch(text.strip('" ').lower()) for text in iter_texts(value))
        for key, value in attributes.items()
    )


def _is_part_of(span: Span, above: Span) -> bool:
    """Whether a span reports the same call as the tool's span above it, like those of MCP clients."""
    call = tool_call(above)
    return call is not None and bool(call.name) and call.name in (span.name, *span.name.split(), *_texts(span))


def _texts(span: Span) -> Iterator[str]:
    return (value for value in span.attributes.values() if isinstance(value, str))
