"""Finds spans that may be tool calls in a form that viva cannot read."""

import re
from collections.abc import Iterator, Sequence

from vivavoce.model.json_value import JsonObject, is_array, is_object, iter_texts
from vivavoce.model.message import Unread
from vivavoce.notation.possible_names import names_beside
from vivavoce.sight.spans.dialects import hand_off, is_framework, is_summary, model_call, tool_call
from vivavoce.sight.spans.span import Span, ancestors

_NAME_OF_A_TOOL = re.compile(r"(?:^|[._])(?:tool(?:[._]?call)?[._]?names?|function[._]names?)\s*$")
"""Attributes that name a tool, in lower case."""
_ARGUMENTS_OF_A_TOOL = re.compile(r"(?:^|[._])tool(?:[._]?call)?[._]?(?:arg(?:ument)?s?|input|parameters|params)\s*$")
_TRACELOOP_KINDS = ("workflow", "task", "agent", "tool", "session", "unknown")
_KIND = re.compile(
    r"(?:^|[._])(?:kinds?|operation[._]?names?|operationids?|observation[._]types?|method[._]names?)\s*$"
)
"""Attributes that say what kind of span it is, in lower case."""
_TOOL_KIND = re.compile(r"(?:ai\.|execute_)?tool(?:[._-]?call)?s?|tools/call|function(?:[._-]?call)?")

_READ = re.compile(
    r"gen_ai\.(?:tool\.(?:name|type|description|status|call\.(?:id|arguments|result))|operation\.name|prompt|completion"
    r"|system|(?:agent|conversation|provider|usage)\..*)|tool\.(?:name|description|parameters)|tool_call\.id"
    r"|tool_(?:arguments|response)|(?:input|output)\.(?:value|mime_type)|ai\.(?:operationId|toolCall\..*|telemetry\..*)"
    r"|traceloop\.(?:entity\.(?:name|input|output|path|version)|(?:association|workflow|span)\..*)"
    r"|(?:langsmith|openinference|logfire|gcp\.vertex|mcp|code|session|service|telemetry|error|exception|thread|process"
    r"|http|url|server|network|otel)\..*|error"
)
"""Attributes of known conventions: calls in them are read, or found by the patterns above."""


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
    """Words in attributes that viva does not read: one of them may be the name of a called tool.

    The spans of models and agents list the tools that they may call, so they are left out.
    """
    found: dict[Unread, None] = {}
    for span in spans:
        if tool_call(span) is not None or (model_call(span) is None and not is_framework(span)):
            rest = {key: value for key, value in span.attributes.items() if not _READ.fullmatch(key)}
            found |= dict.fromkeys(names_beside(rest, (), f"the span {span.name or span.id!r}"))
    return list(found)


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
        _KIND.search(key.lower()) and any(_TOOL_KIND.fullmatch(text.strip().lower()) for text in iter_texts(value))
        for key, value in attributes.items()
    )


def _is_part_of(span: Span, above: Span) -> bool:
    """Whether a span reports the same call as the tool's span above it, like those of MCP clients."""
    call = tool_call(above)
    return call is not None and bool(call.name) and call.name in (span.name, *span.name.split(), *_texts(span))


def _texts(span: Span) -> Iterator[str]:
    return (value for value in span.attributes.values() if isinstance(value, str))
