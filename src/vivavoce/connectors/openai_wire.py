"""The chat-completions wire: what is sent, and how an answer or its stream of pieces is read."""

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct

from vivavoce.connectors.endpoint import bad_reply, error_message, error_text
from vivavoce.model.json_value import is_array, is_number, is_object
from vivavoce.model.message import ContentPart, Message, ToolCall, Usage, text_of_content
from vivavoce.notation.json_text import call_arguments, find_json
from vivavoce.protocols import ModelReply, ToolSpec
from vivavoce.wording.plurals import counted


class _Function(Struct, frozen=True, gc=False):
    name: str | None = None
    arguments: Any = None


class _Call(Struct, frozen=True, gc=False):
    index: int | None = None
    id: str | None = None
    function: _Function = _Function()


class _Said(Struct, frozen=True, gc=False):
    """A message, or a piece of one."""

    content: Any = None
    refusal: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[_Call] | None = None
    function_call: _Function | None = None
    """The one call of a message, as it was told before there could be several."""
    awaiting_input: bool | None = None
    input_hint: str | None = None


class _Choice(Struct, frozen=True, gc=False):
    message: _Said | None = None
    delta: _Said | None = None
    finish_reason: str | None = None


_Count = Annotated[int, Meta(ge=0)]


class _Usage(Struct, frozen=True, gc=False):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None
    cost: Any = None


class _Completion(Struct, frozen=True, gc=False):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: Any = None
    awaiting_input: bool | None = None
    input_hint: str | None = None


_NOTHING_TOLD = _Usage()
_decode = msgspec.json.Decoder(_Completion).decode


def wire_message(message: Message) -> dict[str, Any]:
    """A message as endpoints take it: our own ids stay at home."""
    content = message.content
    wire: dict[str, Any] = {
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
    """A file's bytes go where the API looks for them; it knows no `url` of a file."""
    file: Any = part.get("file")
    if not is_object(file) or "file_data" in file or not str(file.get("url")).startswith("data:"):
        return part
    return {"type": "file", "file": {"file_data": file["url"], "filename": file.get("filename") or "file"}}


def wire_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
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


def structured(text: str, options: Mapping[str, Any]) -> Any:
    """The JSON of a reply that was asked for as JSON; UNSET when none was asked for, or none came."""
    wanted: Any = options.get("response_format")
    if not is_object(wanted) or not str(wanted.get("type")).startswith("json"):
        return UNSET
    found = find_json(text)
    return UNSET if found is None else found.value


def read_whole(content: bytes) -> ModelReply:
    """A reply that came in one piece."""
    completion = _decoded(content)
    if completion.error:
        raise bad_reply(f"the endpoint reports an error: {error_message(completion.error) or error_text(content)}")
    if not completion.choices:
        raise bad_reply(f"the reply has no choices: {error_text(content)}")
    choice = completion.choices[0]
    if (
        choice.message is not None
        and _is_only_words(choice.message)
        and completion.awaiting_input is completion.input_hint is None
    ):
        return ModelReply(
            text=choice.message.content, finish_reason=choice.finish_reason, usage=_spent(completion.usage)
        )
    pieces = _Pieces()
    pieces.add(completion)
    return pieces.reply()


def _is_only_words(said: _Said) -> bool:
    """As most answers are: then there are no pieces to be put together."""
    return type(said.content) is str and not (
        said.tool_calls
        or said.function_call
        or said.refusal
        or said.reasoning_content
        or said.input_hint is not None
        or said.awaiting_input is not None
    )


async def read_stream(events: AsyncIterator[bytes]) -> ModelReply:
    """A reply that came in pieces. One that breaks off is an error: half an answer must not be judged."""
    pieces = _Pieces()
    done = False
    async for data in events:
        if data.strip() == b"[DONE]":
            done = True
            break
        completion = _decoded(data)
        if completion.error:
            raise bad_reply(f"the stream reports an error: {error_message(completion.error) or error_text(data)}")
        pieces.add(completion)
    if not done and pieces.finish_reason is None:
        raise bad_reply(f"the stream ended without a finish reason, after {pieces.seen()}")
    return pieces.reply()


class _Pieces:
    """What has been said so far."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, tuple[list[str], list[str], list[Any]]] = {}
        self._extra: dict[str, Any] = {}
        self._usage: _Usage | None = None
        self.finish_reason: str | None = None

    def add(self, completion: _Completion) -> None:
        if completion.usage is not None:
            self._usage = completion.usage
        self._declare(completion.awaiting_input, completion.input_hint)
        for choice in completion.choices[:1]:
            self.finish_reason = choice.finish_reason or self.finish_reason
            said = choice.message or choice.delta
            if said is not None:
                self._say(said)

    def seen(self) -> str:
        return f"{counted(sum(map(len, self._texts)), 'character')} and {counted(len(self._calls), 'tool call')}"

    def reply(self) -> ModelReply:
        reasoning = "".join(self._reasoning)
        return ModelReply(
            text="".join(self._texts) or "".join(self._refusals),
            calls=tuple(self._joined(at) for at in sorted(self._calls)),
            finish_reason=self.finish_reason,
            usage=_spent(self._usage),
            extra={**self._extra, "reasoning": reasoning} if reasoning else self._extra,
        )

    def _say(self, said: _Said) -> None:
        if said.content:
            self._texts.append(_words(said.content))
        if said.refusal:
            self._refusals.append(said.refusal)
        if said.reasoning_content:
            self._reasoning.append(said.reasoning_content)
        self._declare(said.awaiting_input, said.input_hint)
        if said.function_call is not None:
            self._call(-1, _Call(function=said.function_call))
        for position, call in enumerate(said.tool_calls or ()):
            # Pieces of one call share an index; whole calls often come without one.
            self._call(position if call.index is None else call.index, call)

    def _call(self, at: int, call: _Call) -> None:
        ids, names, arguments = self._calls.setdefault(at, ([], [], []))
        ids.extend([call.id] if call.id else [])
        names.extend([call.function.name] if call.function.name else [])
        arguments.extend([call.function.arguments] if call.function.arguments is not None else [])

    def _declare(self, awaiting: bool | None, hint: str | None) -> None:
        if awaiting is not None:
            self._extra["awaiting_input"] = awaiting
        if hint is not None:
            self._extra["input_hint"] = hint

    def _joined(self, at: int) -> ToolCall:
        ids, names, arguments = self._calls[at]
        if not names:
            raise bad_reply(f"a tool call without a function.name{f' ({ids[0]})' if ids else ''}")
        whole: Any = "".join(arguments) if all(isinstance(piece, str) for piece in arguments) else arguments[-1]
        # Names and ids may be repeated in every piece: the first one counts.
        call_id = ids[0] if ids else f"call_{uuid.uuid4().hex[:12]}"
        return ToolCall(id=call_id, name=names[0], args=call_arguments(whole))


def _spent(spent: _Usage | None) -> Usage | None:
    """What was told of it; an object that tells nothing we know is no usage of nothing."""
    if spent is None or spent == _NOTHING_TOLD:
        return None
    # What is no number is no cost we can read: a limit on it fails. One below nothing would be kept by every limit.
    cost = float(spent.cost) if is_number(spent.cost) else None
    if cost is not None and not cost >= 0:
        raise bad_reply(f"usage.cost is {cost:g}, wanted a number, 0 or more")
    return Usage(spent.prompt_tokens or 0, spent.completion_tokens or 0, cost)


def _decoded(content: bytes) -> _Completion:
    try:
        return _decode(content)
    except (ValueError, RecursionError) as error:
        raise bad_reply(f"the reply is no chat completion ({error}): {error_text(content)}") from None


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return text_of_content([part for part in content if is_object(part)]) if is_array(content) else str(content)
