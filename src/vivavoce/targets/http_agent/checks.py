"""Checks the request and the paths of an HTTP agent before anything is sent."""

import re

import msgspec

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import JsonArray, JsonValue, iter_texts
from vivavoce.notation.json_paths import compile_path, plain_steps
from vivavoce.notation.templates import TemplateProblem, is_template, names_in
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.targets.http_agent.kind import CallPaths, HttpCall
from vivavoce.wording.quoting import shorten

NAMES = (
    *("message", "messages", "history", "attachments", "session_id", "thread_id", "session"),
    *("turn", "context", "metadata", "variables"),
)
"""What templates may use."""
WORDS = frozenset({"message", "messages"})
_VARIABLE_INSIDE = re.compile(r"\{[{%](?:(?![}%]\}|\$\{).)*+(?:\$\{|.)?", re.DOTALL)
"""The beginning of a template, up to the first `${` in it or to its end."""
_NAME_MISSING = re.compile(r"^\.|\.\.|\.\[|\.$")
_ENCODES = re.compile(r"\|\s*urlencode\b")


def checked_call(value: JsonValue) -> HttpCall:
    """The request as written. Raises UsageError for what cannot work in it."""
    try:
        call = msgspec.convert(value, HttpCall)
    except msgspec.ValidationError as error:
        raise UsageError(f"http: {split_validation_error(str(error))[0]}") from None
    if call.body is not None and call.method == "GET":
        raise UsageError("http: a GET request has no body", hint="put it into `query`, or write method: POST")
    used = used_names(call)
    if used.isdisjoint(WORDS):
        raise UsageError(
            "http: the user's message is never sent",
            hint="write {{ message }} or {{ messages }} into `body`, `query` or `url`",
        )
    if call.session is None and call.session_header is None and "session" in used:
        raise UsageError("http: {{ session }} is used, and nothing says where it comes from", hint="set `session`")
    for name, path in _paths(call):
        try:
            compile_path(path)
            if plain_steps(path) and _NAME_MISSING.search(path):
                raise ValueError(f"bad JSON path {path!r}: a name is missing beside a dot")
        except ValueError as error:
            raise UsageError(f"http.{name}: {error}") from None
    return call


def used_names(call: HttpCall) -> frozenset[str]:
    """The names that the templates of a request use. Raises UsageError for one nobody knows."""
    found: set[str] = set()
    for field in ("url", "headers", "query", "body"):
        written: JsonValue = getattr(call, field)
        for text in filter(is_template, iter_texts(written)):
            found |= _names_in(text, field)
            if field == "url" and _ENCODES.search(text):
                raise UsageError("http.url: its values are percent-encoded already", hint="leave `| urlencode` out")
    return frozenset(found)


def _names_in(text: str, field: str) -> set[str]:
    if any(found[0].endswith("${") for found in _VARIABLE_INSIDE.finditer(text)):
        raise UsageError(
            f"http.{field}: there is a ${{NAME}} inside a template: {shorten(repr(text), 80)}",
            hint="write {{ variables.NAME }}",
        )
    try:
        names = names_in(text)
    except TemplateProblem as problem:
        raise UsageError(f"http.{field}: {problem}") from None
    for name in sorted(names.difference(NAMES)):
        hint = did_you_mean(name, list(NAMES)) or f"known: {', '.join(NAMES)}"
        raise UsageError(f"http.{field}: unknown name {name!r} in a template", hint=hint)
    return names


def _paths(call: HttpCall) -> list[tuple[str, str]]:
    named: JsonArray = [(name, getattr(call, name)) for name in ("reply", "usage", "data", "session")]
    calls = call.tool_calls
    if isinstance(calls, CallPaths):
        named += [(f"tool_calls.{name}", getattr(calls, name)) for name in calls.__struct_fields__]
    else:
        named.append(("tool_calls", calls))
    named += [("ignore", path) for path in call.ignore]
    return [(name, path) for name, path in named if path is not None]
