"""Reads text and tool calls from the content of a message, in the formats of all libraries and providers."""

from collections.abc import Iterator

from msgspec import UNSET, Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.model.message import Unread
from vivavoce.notation.hidden_calls import mentions_calls, names_tools, unread

_WORDS = frozenset({"text", "output_text", "input_text", "summary_text"})
_CALLS = frozenset(
    {"tool_use", "tool_call", "function_call", "server_tool_use", "mcp_tool_use", "toolUse", "tool-call"}
)
_RESULTS = frozenset({"tool_result", "function_call_output", "mcp_tool_result", "tool-result"})
_NEITHER = frozenset(
    {
        *("thinking", "redacted_thinking", "reasoning", "reasoning_content", "image", "image_url", "input_image"),
        *("input_audio", "audio", "video", "file", "input_file", "document", "media", "citation", "non_standard"),
    }
)
_UNTYPED_CALLS = ("toolUse", "functionCall", "function_call", "tool_call", "tool_use")
_UNTYPED_RESULTS = ("toolResult", "functionResponse", "function_response", "tool_result")
_ID_KEYS = ("call_id", "tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "id")


class Result(Struct, frozen=True):
    """The result of a call, with the id of the call."""

    call_id: str
    name: str = ""
    value: JsonValue = UNSET
    error: str | None = None


class Parts(Struct, frozen=True):
    """A message's content, taken apart."""

    words: str = ""
    calls: tuple[JsonObject, ...] = ()
    results: tuple[Result, ...] = ()
    unread: tuple[Unread, ...] = ()


def is_content(value: JsonValue) -> bool:
    """Whether a value is the content of a message, and not structured data."""
    return value is None or isinstance(value, str) or (is_array(value) and any(map(_is_part, value)))


def read_parts(content: JsonValue, where: str = "$.content") -> Parts:
    """Reads text or a list of parts. Parts that are not text, calls, results or media are unread."""
    if content is None or isinstance(content, str):
        return Parts(words=content or "")
    if not is_array(content):
        return Parts(unread=(unread(content, where),))
    words: list[str] = []
    calls: list[JsonObject] = []
    results: list[Result] = []
    missed: list[Unread] = []
    for at, part in enumerate(content):
        if isinstance(part, str):
            words.append(part)
        elif not is_object(part):
            missed += [] if part is None else [unread(part, f"{where}[{at}]")]
        else:
            _sort(part, words, calls, results, missed, f"{where}[{at}]")
    return Parts("\n".join(words), tuple(calls), tuple(results), tuple(missed))


def result_of(part: JsonObject) -> Result:
    """Reads a tool's result in any of the usual formats."""
    value = next((part[key] for key in ("output", "content", "response", "result") if key in part), UNSET)
    if is_content(value) and is_array(value):
        value = read_parts(value).words
    failed = part.get("is_error") or part.get("status") == "error" or part.get("error")
    name = part.get("name")
    return Result(
        call_id=id_of(part),
        name=name if isinstance(name, str) else "",
        value=UNSET if failed else value,
        error=(text_of(part.get("error") or "") if is_error_text(part) else text_of(value)) if failed else None,
    )


def is_error_text(part: JsonObject) -> bool:
    return isinstance(part.get("error"), str | dict)


def id_of(part: JsonObject) -> str:
    """Returns a call's id, from any of the usual keys."""
    return next((str(part[key]) for key in _ID_KEYS if part.get(key)), "")


def _sort(
    part: JsonObject,
    words: list[str],
    calls: list[JsonObject],
    results: list[Result],
    missed: list[Unread],
    where: str,
) -> None:
    kind = part.get("type")
    if kind is not None and not isinstance(kind, str):
        missed.append(unread(part, where))
    elif kind in _WORDS and isinstance(part.get("text"), str):
        words.append(part["text"])
        missed += [unread(part, where, "call")] if len(part) > 2 and names_tools(part) else []
    elif kind == "refusal":
        words.append(str(part.get("refusal", "")))
    elif kind in _CALLS:
        calls.append(part)
    elif kind in _RESULTS:
        results.append(result_of(part))
    elif kind is None and (inner := _first(part, _UNTYPED_CALLS)) is not None:
        calls.append(inner)
        missed += _beside(part, inner, where)
    elif kind is None and (inner := _first(part, _UNTYPED_RESULTS)) is not None:
        results.append(result_of(inner))
        missed += _beside(part, inner, where)
    elif kind is None and isinstance(part.get("text"), str) and part.keys() <= {"text", "thought"}:
        words.append("" if part.get("thought") else part["text"])
    elif kind not in _NEITHER:
        missed.append(unread(part, where))
    elif names_tools(part):
        missed.append(unread(part, where, "call"))


def _beside(part: JsonObject, read: JsonObject, where: str) -> list[Unread]:
    """Returns what a part says about calls other than the one that was read."""
    rest = {key: value for key, value in part.items() if value is not read}
    return [unread(rest, where, "call")] if mentions_calls(rest) else []


def _first(part: JsonObject, keys: tuple[str, ...]) -> JsonObject | None:
    found: Iterator[JsonValue] = (part[key] for key in keys if is_object(part.get(key)))
    return next(found, None)


def _is_part(value: JsonValue) -> bool:
    if not is_object(value):
        return False
    kind = value.get("type")
    if isinstance(kind, str):
        return True
    return any(is_object(value.get(key)) for key in (*_UNTYPED_CALLS, *_UNTYPED_RESULTS)) or (
        isinstance(value.get("text"), str) and len(value) == 1
    )
