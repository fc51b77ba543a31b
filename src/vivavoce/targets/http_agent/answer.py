"""What an HTTP agent answered → AgentReply, by the paths that say where its parts are."""

from itertools import pairwise
from typing import TypeVar

from msgspec import UNSET, Struct, structs

from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonArray, JsonValue, is_array, is_object, iter_texts, text_of
from vivavoce.model.message import AgentReply, ToolCall, Unread
from vivavoce.net.web_answers import bad_reply, error_message
from vivavoce.notation.content_parts import is_content, read_parts
from vivavoce.notation.hidden_calls import (
    calls_in_text,
    looks_like_calls,
    mentions_calls,
    says_something,
    tool_names_in,
    unread,
)
from vivavoce.notation.json_paths import CompiledPath, compile_path
from vivavoce.notation.possible_names import names_beside, possible_names
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.targets.call_reading import read_call, read_usage, unread_in_calls
from vivavoce.targets.envelopes import CALL_LISTS
from vivavoce.targets.http_agent.kind import CallPaths, HttpCall
from vivavoce.targets.reply_reading import read_value
from vivavoce.wording.quoting import quote

_SHOWN = 300
_MOST_KEYS = 12
T = TypeVar("T")


class AnswerPaths(Struct, frozen=True):
    """The compiled paths of one agent."""

    reply: CompiledPath | None
    calls: CompiledPath | None
    parts: dict[str, CompiledPath]
    """Where the parts of a call are, for calls without the usual names."""
    usage: CompiledPath | None
    data: CompiledPath | None
    session: CompiledPath | None
    ignored: tuple[CompiledPath, ...] = ()
    """Parts that look like calls and are none, as the user declares."""


def paths_of(call: HttpCall) -> AnswerPaths:
    """The paths of a request that was checked."""

    def compiled(path: str | None) -> CompiledPath | None:
        return None if path is None else compile_path(path)

    calls, parts = call.tool_calls, dict[str, CompiledPath]()
    if isinstance(calls, CallPaths):
        written = {name: getattr(calls, name) for name in ("name", "args", "result", "error", "id")}
        parts = {name: compile_path(path) for name, path in written.items() if path is not None}
        calls = calls.path
    return AnswerPaths(
        compiled(call.reply),
        compiled(calls),
        parts,
        compiled(call.usage),
        compiled(call.data),
        compiled(call.session),
        tuple(map(compile_path, call.ignore)),
    )


class Answer:
    """Grows by one document of a stream after the other; an answer in one piece is a single document."""

    def __init__(self, paths: AnswerPaths, *, streamed: bool = False, only_last: bool = False) -> None:
        self._paths = paths
        self._streamed = streamed
        self._only_last = only_last
        self._replies: JsonArray = []
        self._calls: list[ToolCall] = []
        self._shows_calls = False
        self._keys: dict[str, None] = {}
        self._unread: list[Unread] = []
        self._usage: JsonValue = None
        self._data: JsonValue = UNSET
        self._first: JsonValue = UNSET
        self._last: JsonValue = UNSET
        self.session: JsonValue = None
        """What the path of the session found."""

    def add(self, document: JsonValue) -> None:
        """Reads one document. Raises CallFailed for calls that cannot be read, and for an error it reports."""
        paths = self._paths
        self._first = document if self._first is UNSET else self._first
        self._last = document
        found = _find(paths.reply, document)
        calls = _find(paths.calls, document)
        if not found and not calls and is_object(document) and document.get("error"):
            raise bad_reply(f"the agent reports an error: {error_message(document) or quote(document, _SHOWN)}")
        self._replies = found if self._only_last and found else [*self._replies, *found]
        self._add_calls(calls)
        self._shows_calls = self._shows_calls or (paths.calls is not None and paths.calls.has_place_in(document))
        self._keys |= dict.fromkeys(map(str, document)) if is_object(document) else {}
        usage, data, session = (_find(path, document) for path in (paths.usage, paths.data, paths.session))
        self._usage = _newest(usage, self._usage)
        self._data = _newest(data, self._data)
        self.session = _newest(session, self.session)
        if paths.calls is not None or paths.reply is not None:  # else the whole document is read by its form
            ignored = [value for path in paths.ignored for value in path.find(document)]
            rest = _without(document, [*found, *calls, *usage, *data, *ignored])
            # A piece of a stream may have only a piece of a name.
            self._unread += _elsewhere(rest, in_pieces=self._streamed)

    def reply(self, said: str) -> AgentReply:
        """The whole answer. Raises CallFailed when the path of the reply found nothing."""
        paths = self._paths
        if paths.reply is None:
            return self._by_its_form(said)
        if not self._replies and self._data is UNSET:
            raise self._nothing_found(paths.reply)
        reply = self.so_far()
        return structs.replace(reply, usage=read_usage(self._usage))

    def so_far(self) -> AgentReply:
        """What was said and called until now."""
        text, data, missed = self._said()
        if self._data is not UNSET:
            data = self._data
        if data is not UNSET and looks_like_calls(data):
            missed.append(suspected_call(data, "structured output"))
        return AgentReply(
            text=text or ("" if data is UNSET else text_of(data)),
            data=data,
            calls=tuple(self._calls),
            unread=(*self._unread, *missed, *self._names_in_two_pieces()),
            shows_calls=self._shows_calls,
            not_shown=self._why_not_shown(),
        )

    def _names_in_two_pieces(self) -> list[Unread]:
        """A call without an id in a stream may go on with the name of the one before."""
        pairs = pairwise(self._calls) if self._streamed else ()
        names = [first.name + second.name for first, second in pairs if not second.id]
        return possible_names(names, "names of calls in two pieces")

    def _why_not_shown(self) -> str:
        """The warning when the path of the calls found nothing; empty without such a path."""
        path = self._paths.calls
        if path is None or self._shows_calls:
            return ""
        where = "the stream" if self._streamed else "the answer"
        has = f", which has {', '.join([*self._keys][:_MOST_KEYS])}" if self._keys else ""
        return (
            f"tool_calls: {path.text} finds nothing in {where}{has}: nobody can tell which tools were called "
            f"(correct the path; or write `shows_calls: true` at the agent if {where} leaves it out "
            "when no tool was called)"
        )

    def _said(self) -> tuple[str, JsonValue, list[Unread]]:
        """The text and the structured output under the path of the reply, and what was not read there."""
        found = [value for value in self._replies if value is not None]
        if all(isinstance(value, str) for value in found):
            text = ("" if self._streamed else "\n").join(found)
            return text, UNSET, [suspected_call(text, "the text")] if calls_in_text(text) else []
        if len(found) > 1 and not self._streamed:
            return "", found, []
        if all(map(is_content, found)):
            parts = [read_parts(value) for value in found]
            missed = [unread(call, "$.content", "call") for part in parts for call in part.calls]
            return "".join(part.words for part in parts), UNSET, [*missed, *(u for part in parts for u in part.unread)]
        last = found[-1]
        lists_calls = is_object(last) and any(says_something(last.get(key)) for key in CALL_LISTS)
        missed = [unread(last, "$", "call")] if lists_calls else []
        kept = "\0".join(iter_texts(last))
        lost = [value for value in found[:-1] if any(text not in kept for text in iter_texts(value))]
        return "", last, [*missed, *(unread(value, "an earlier piece of the reply") for value in lost)]

    def _by_its_form(self, said: str) -> AgentReply:
        """Without a path of the reply the answer is read like that of any function."""
        known = [value for path in (self._paths.calls, self._paths.usage) for value in _find(path, self._first)]
        reply = read_value(_without(self._first, known), said)
        spent = reply.usage if self._usage is None else read_usage(self._usage)
        return structs.replace(
            reply,
            calls=(*reply.calls, *self._calls),
            data=reply.data if self._data is UNSET else self._data,
            usage=spent,
            shows_calls=reply.shows_calls if self._paths.calls is None else self._shows_calls,
            not_shown=self._why_not_shown(),
            unread=(*reply.unread, *self._unread),
        )

    def _add_calls(self, found: JsonArray) -> None:
        told: JsonArray = []
        for value in found:
            told += value if is_array(value) else [] if value is None else [value]
        where = self._paths.calls.text if self._paths.calls else "$"
        if self._paths.parts:
            self._unread += [piece for value in told for piece in _inside_a_call(value, self._paths.parts, where)]
            told = [_picked(value, self._paths.parts) for value in told]
        else:
            self._unread += unread_in_calls(told)
        for at, value in enumerate(told):
            self._put(read_call(value, f"{where}[{at}]"))

    def _put(self, call: ToolCall) -> None:
        """Adds to a known call what is new: mostly its result."""
        if self._streamed:
            seen = now_ms()
            ended = call.completed_ms or (seen if call.is_answered else None)
            call = structs.replace(call, started_ms=call.started_ms or seen, completed_ms=ended)
        for at, known in enumerate(self._calls):
            if call.id and known.id == call.id and known.name == call.name:
                self._calls[at] = structs.replace(
                    call, args=call.args or known.args, started_ms=known.started_ms or call.started_ms
                )
                return
        self._calls.append(call)

    def _nothing_found(self, path: CompiledPath) -> CallFailed:
        if self._first is UNSET:
            return bad_reply("the stream ended without a single event")
        shown = quote(self._first, _SHOWN)
        if self._streamed:
            more = "" if self._last is self._first else f" … {quote(self._last, _SHOWN)}"
            return CallFailed(f"reply: {path.text} finds nothing in the stream: {shown}{more}", fault="test")
        fields = f"the answer has {', '.join(map(str, self._first))}" if is_object(self._first) else None
        return CallFailed(f"reply: {path.text} finds nothing in the answer: {shown}", fault="test", hint=fields)


def _find(path: CompiledPath | None, document: JsonValue) -> JsonArray:
    return [] if path is None else path.find(document)


def _newest(found: JsonArray, known: T) -> T | JsonValue:
    return next((value for value in reversed(found) if value is not None), known)


def _picked(call: JsonValue, parts: dict[str, CompiledPath]) -> JsonValue:
    """A call in viva's own form, with the parts that its paths lead to."""
    picked = {name: found[0] for name, path in parts.items() if (found := path.find(call))}
    return {key: value for key, value in picked.items() if value is not None or key == "result"}


def _inside_a_call(call: JsonValue, parts: dict[str, CompiledPath], where: str) -> list[Unread]:
    """Further calls in a call, where none of its paths leads to."""
    rest = _without(call, [value for path in parts.values() for value in path.find(call)])
    told = mentions_calls(rest) or (is_object(rest) and tool_names_in(rest))
    return [unread(rest, f"inside a call of {where}", "call")] if told else possible_names(rest, f"a call of {where}")


def _without(document: JsonValue, known: JsonArray) -> JsonValue:
    """The document with null where the known values stand."""
    ids = {id(value) for value in known}

    def pruned(value: JsonValue) -> JsonValue:
        if id(value) in ids:
            return None
        if is_object(value):
            return {key: pruned(inner) for key, inner in value.items()}
        return [pruned(inner) for inner in value] if is_array(value) else value

    return pruned(document) if known else document


def _elsewhere(rest: JsonValue, *, in_pieces: bool) -> list[Unread]:
    """Calls that stand where no path leads to, and what may be their names."""
    if is_object(rest):
        told = [key for key, value in rest.items() if mentions_calls({key: value})]
        where = {key: f"$.{key}" for key in told}
        if in_pieces:
            calls = [unread(rest[key], where[key], "call") for key in told]
        else:
            calls = [suspected_call(rest[key], where[key], under=key) for key in told]
        return [*calls, *names_beside(rest, told, "$")]
    return [unread(rest, "$", "call")] if mentions_calls(rest) else possible_names(rest, "$")
