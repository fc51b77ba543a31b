"""The chat-completions wire: what is sent, and how an answer or its stream of pieces is read."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, structs

from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_number, is_object
from vivavoce.model.message import ContentPart, Message, Unread, Usage
from vivavoce.model_wires.beside_the_reply import after_the_end, keys_written_twice
from vivavoce.model_wires.call_pieces import CallPiece, CallPieces, FunctionPiece
from vivavoce.model_wires.heard_so_far import on_broken_stream
from vivavoce.model_wires.plain_completion import PlainDelta, plain_delta, plain_reply
from vivavoce.model_wires.unread_fields import beside_a_call, unread_fields
from vivavoce.net.web_answers import bad_reply, error_message, error_text
from vivavoce.notation.content_parts import id_of, read_parts
from vivavoce.notation.hidden_calls import unread
from vivavoce.notation.json_text import find_json
from vivavoce.protocols import ModelReply, ToolSpec
from vivavoce.wording.plurals import counted
from vivavoce.wording.quoting import shorten


class _Said(Struct, frozen=True, gc=False, rename={"camel_calls": "toolCalls"}):
    """A message, or a piece of one."""

    content: JsonValue = None
    refusal: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[CallPiece] | None = None
    camel_calls: list[CallPiece] | None = None
    function_call: FunctionPiece | None = None
    """The single call of a message in the old form, `function_call`."""
    awaiting_input: bool | None = None
    input_hint: str | None = None


class _Choice(Struct, frozen=True, gc=False):
    index: int | None = None
    message: _Said | None = None
    delta: _Said | None = None
    finish_reason: str | None = None


_Count = Annotated[int, Meta(ge=0)]


class _Usage(Struct, frozen=True, gc=False):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None
    cost: JsonValue = None


class _Completion(Struct, frozen=True, gc=False):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: Any = None
    awaiting_input: bool | None = None
    input_hint: str | None = None


_NOTHING_TOLD = _Usage()
_CALLING = frozenset({"tool_calls", "tool_call", "function_call", "tool_use", "toolUse"})
"""Reasons to finish that say that something was called."""
_decode = msgspec.json.Decoder(_Completion).decode


def wire_message(message: Message) -> JsonObject:
    """A message as endpoints take it: our own ids stay at home."""
    content = message.content
    wire: JsonObject = {
        "role": message.role,
        "content": content if isinstance(content, str) else [_wire_part(part) for part in content],
    }
    if message.tool_calls:
        wire["tool_calls"] = message.tool_calls
        wire["content"] = wire["content"] or None
    if message.name is not None:
        wire["name"] = message.name
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _wire_part(part: ContentPart) -> ContentPart:
    """Sends the bytes of a file: the API takes no `url` of a file."""
    file: JsonValue = part.get("file")
    if not is_object(file) or "file_data" in file or not str(file.get("url")).startswith("data:"):
        return part
    return {"type": "file", "file": {"file_data": file["url"], "filename": file.get("filename") or "file"}}


def wire_tools(tools: Sequence[ToolSpec]) -> list[JsonObject]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters or {"type": "object", "properties": {}},
            },
        }
        for tool in tools
    ]


def structured(text: str, options: Mapping[str, JsonValue]) -> JsonValue:
    """The JSON of a reply that was asked for as JSON; UNSET when none was asked for, or none came."""
    wanted: JsonValue = options.get("response_format")
    if not is_object(wanted) or not str(wanted.get("type")).startswith("json"):
        return UNSET
    found = find_json(text)
    return UNSET if found is None else found.value


def read_whole(content: bytes) -> ModelReply:
    """A reply that came in one piece."""
    if (plain := plain_reply(content)) is not None:
        return plain
    completion = _decoded(content)
    if completion.error:
        raise bad_reply(f"the endpoint reports an error: {error_message(completion.error) or error_text(content)}")
    if not completion.choices:
        raise bad_reply(f"the reply has no choices: {error_text(content)}")
    pieces = _Pieces()
    pieces.add(completion, content)
    return pieces.reply()


async def read_stream(events: AsyncIterator[bytes]) -> ModelReply:
    """A reply that came in pieces. One that breaks off is an error: half an answer must not be judged."""
    pieces = _Pieces()
    on_broken_stream(pieces.so_far)
    done = False
    async for data in events:
        if data.strip() == b"[DONE]":
            done = True
            await pieces.add_late(events)
            break
        if (delta := plain_delta(data)) is not None and pieces.add_plain(delta):
            continue
        completion = _decoded(data)
        if completion.error:
            raise bad_reply(f"the stream reports an error: {error_message(completion.error) or error_text(data)}")
        pieces.add(completion, data)
    if not done and pieces.finish_reason is None:
        raise bad_reply(f"the stream ended without a finish reason, after {pieces.seen()}")
    return pieces.reply()


class _Pieces:
    """What has been said so far."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._reasoning: list[str] = []
        self._calls = CallPieces()
        self._unread: list[Unread] = []
        self._other_choices: dict[int, list[str]] = {}
        self._choice: int | None = None
        self._extra: JsonObject = {}
        self._usage: _Usage | None = None
        self.finish_reason: str | None = None

    def add_plain(self, delta: PlainDelta) -> bool:
        """A piece of the choice 0; False when that is not the answer."""
        if self._choice is None:
            self._choice = 0
        if self._choice != 0:
            return False
        if delta.content:
            self._texts.append(delta.content)
        if delta.reasoning_content:
            self._reasoning.append(delta.reasoning_content)
        return True

    def add(self, completion: _Completion, content: bytes) -> None:
        if completion.usage is not None:
            self._usage = completion.usage
        self._declare(completion.awaiting_input, completion.input_hint)
        for position, choice in enumerate(completion.choices):
            said, other = _said_in(choice)
            if self._is_another(position, choice):
                self._other_choices.setdefault(choice.index or position, []).append(_as_text(said))
                continue
            self.finish_reason = choice.finish_reason or self.finish_reason
            if said is not None:
                self._say(said)
            if other is not None:
                self._unread.append(unread(msgspec.to_builtins(other), "$.choices: both a message and a delta"))
        self._unread += _not_read(completion, content)

    async def add_late(self, events: AsyncIterator[bytes]) -> None:
        self._unread += await after_the_end(events, "the stream after [DONE]")

    def seen(self) -> str:
        return f"{counted(sum(map(len, self._texts)), 'character')} and {counted(len(self._calls), 'tool call')}"

    def so_far(self) -> ModelReply:
        """What was said before the stream broke; a call whose name had not come is unread."""
        self._calls.drop_nameless()
        return self.reply()

    def reply(self) -> ModelReply:
        reasoning = "".join(self._reasoning)
        calls = self._calls.calls()
        others = [unread("".join(told), f"$.choices[{at}]") for at, told in self._other_choices.items()]
        if not calls and self.finish_reason in _CALLING:
            others.append(unread(self.finish_reason, "finish_reason, although no call was read", "call"))
        return ModelReply(
            text="\n".join(filter(None, ("".join(self._texts), "".join(self._refusals)))),
            calls=calls,
            finish_reason=self.finish_reason,
            usage=_spent(self._usage),
            extra={**self._extra, "reasoning": reasoning} if reasoning else self._extra,
            unread=(*self._unread, *self._calls.unread, *others),
        )

    def _is_another(self, position: int, choice: _Choice) -> bool:
        """Whether this is not the one choice that is the answer: the first that was seen."""
        index = position if choice.index is None else choice.index
        if self._choice is None:
            self._choice = index
        return index != self._choice

    def _say(self, said: _Said) -> None:
        if said.content:
            self._take(said.content)
        if said.refusal:
            self._refusals.append(said.refusal)
        if said.reasoning_content:
            self._reasoning.append(said.reasoning_content)
        self._declare(said.awaiting_input, said.input_hint)
        if said.function_call is not None:
            self._calls.add([CallPiece(index=-1, function=said.function_call)])
        for calls in (said.tool_calls, said.camel_calls):
            if calls:
                self._calls.add(calls)

    def _take(self, content: JsonValue) -> None:
        if isinstance(content, str):
            self._texts.append(content)
            return
        parts = read_parts(content, "$.message.content")
        self._texts.append(parts.words)
        self._unread += parts.unread
        self._unread += [unread(str(result.value), "$.message.content", "call") for result in parts.results]
        self._unread += [piece for part in parts.calls for piece in beside_a_call(part, "$.message.content")]
        self._calls.add([_piece(part, at) for at, part in enumerate(parts.calls, len(self._calls))])

    def _declare(self, awaiting: bool | None, hint: str | None) -> None:
        if awaiting is not None:
            self._extra["awaiting_input"] = awaiting
        if hint is not None:
            self._extra["input_hint"] = hint


def _piece(part: JsonObject, at: int) -> CallPiece:
    """A call that stands among the parts of the content; it is whole."""
    try:
        return structs.replace(msgspec.convert(part, CallPiece), index=at, id=id_of(part) or None)
    except msgspec.ValidationError as error:
        raise bad_reply(f"a tool call that cannot be read ({error}): {shorten(compact_json(part), 200)}") from None


def _not_read(completion: _Completion, content: bytes) -> list[Unread]:
    beside = unread_fields(content, has_choices=bool(completion.choices), has_usage=completion.usage is not None)
    return [*beside, *keys_written_twice(content)]


def _said_in(choice: _Choice) -> tuple[_Said | None, _Said | None]:
    """The message of a choice, and what else it holds: it should have a message or a delta, not both."""
    message, delta = choice.message, choice.delta
    if message is None or delta is None:
        return message or delta, None
    if not any(structs.astuple(message)):
        return delta, None
    return message, delta if any(structs.astuple(delta)) and delta != message else None


def _as_text(said: _Said | None) -> str:
    if said is None:
        return ""
    named = [f"[call of {call.tool}]" for call in (*(said.tool_calls or ()), *(said.camel_calls or ())) if call.tool]
    return "".join([*named, said.content if isinstance(said.content, str) else compact_json(said.content or "")])


def _spent(spent: _Usage | None) -> Usage | None:
    """The usage; None for an object without a known field, which does not mean that nothing was used."""
    if spent is None or spent == _NOTHING_TOLD:
        return None
    # A cost that is not a number is unknown, so a limit on it fails. A negative cost would pass every limit.
    cost = float(spent.cost) if is_number(spent.cost) else None
    if cost is not None and not cost >= 0:
        raise bad_reply(f"usage.cost is {cost:g}, wanted a number, 0 or more")
    return Usage(spent.prompt_tokens or 0, spent.completion_tokens or 0, cost)


def _decoded(content: bytes) -> _Completion:
    try:
        return _decode(content)
    except (ValueError, RecursionError) as error:
        raise bad_reply(f"the reply is no chat completion ({error}): {error_text(content)}") from None
