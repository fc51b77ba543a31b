"""Gemini's generateContent wire: how an answer, or its stream of pieces, is read."""

from collections.abc import AsyncIterator

import msgspec
from msgspec import UNSET

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, object_in
from vivavoce.model.message import ToolCall, Unread, Usage
from vivavoce.model_wires.beside_the_reply import OTHER_NAMES, calls_beside, keys_written_twice
from vivavoce.net.web_answers import bad_reply, error_message, error_text
from vivavoce.notation.hidden_calls import unread
from vivavoce.protocols import ModelReply
from vivavoce.wording.quoting import shorten

FINISH_REASONS = {"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter", "RECITATION": "content_filter"}
_READ_OF_PIECE = frozenset(
    {"candidates", "usageMetadata", "promptFeedback", "error", "modelVersion", "responseId", "createTime"}
)
_READ_OF_CANDIDATE = frozenset({"content", "finishReason", "index"})
_READ_OF_CONTENT = frozenset({"parts", "role"})
_READ_OF_PART = frozenset(
    {"functionCall", "executableCode", "codeExecutionResult", "text", "thought", "thoughtSignature", "inlineData"}
) | {"fileData", "videoMetadata"}
_READ_OF_CALL = frozenset({"id", "name", "args"})
_ONE_OF = ("functionCall", "executableCode", "codeExecutionResult", "text")
"""What a part is; it should be only one of them."""
_WORDLESS = ("inlineData", "fileData")
_CALL_REASONS = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"})


def read_whole(content: bytes) -> ModelReply:
    """A reply that came in one piece, or as the array of pieces of a stream without `alt=sse`."""
    value = _json(content)
    reading = _Reading()
    for piece in value if is_array(value) else [value]:
        reading.add(piece, content)
    return reading.reply()


async def read_stream(events: AsyncIterator[bytes]) -> ModelReply:
    """A reply that came as events. One that breaks off is an error: half an answer must not be judged."""
    reading = _Reading()
    async for data in events:
        if data.strip():
            reading.add(_json(data), data)
    return reading.reply()


def _json(content: bytes) -> JsonValue:
    try:
        return msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:
        raise bad_reply(f"the reply is no JSON ({error}): {error_text(content)}") from None


class _Reading:
    """What has been said so far."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[ToolCall] = []
        self._unread: list[Unread] = []
        self._usage: Usage | None = None
        self._reason = ""

    def add(self, piece: JsonValue, content: bytes) -> None:
        """Raises CallFailed for a piece that is no answer of this API."""
        if not is_object(piece) or piece.get("error"):
            raise bad_reply(f"the endpoint reports an error: {error_message(piece) or error_text(content)}")
        if "candidates" not in piece and "promptFeedback" not in piece and "usageMetadata" not in piece:
            raise bad_reply(f"the reply has no candidates: {error_text(content)}")
        self._unread += [*keys_written_twice(content), *calls_beside(piece, _READ_OF_PIECE, "$")]
        if blocked := object_in(piece, "promptFeedback").get("blockReason"):
            self._reason = str(blocked)
        self._usage = _usage(piece.get("usageMetadata")) or self._usage
        for at, candidate in enumerate(self._listed(piece.get("candidates"), "$.candidates")):
            if not is_object(candidate) or candidate.get("index", at):
                self._unread.append(unread(candidate, f"$.candidates[{at}]"))
            else:
                self._add_candidate(candidate, f"$.candidates[{at}]")

    def _add_candidate(self, candidate: JsonObject, where: str) -> None:
        self._unread += calls_beside(candidate, _READ_OF_CANDIDATE, where)
        self._reason = str(candidate.get("finishReason") or self._reason)
        content: JsonValue = candidate.get("content")
        if not is_object(content):
            self._unread += [] if content is None else [unread(content, f"{where}.content")]
            return
        self._unread += calls_beside(content, _READ_OF_CONTENT, f"{where}.content")
        for number, part in enumerate(self._listed(content.get("parts"), f"{where}.content.parts")):
            self._add_part(part, f"{where}.content.parts[{number}]")

    def _listed(self, value: JsonValue, where: str) -> JsonArray:
        """Returns the entries of a list; any other value is noted as unread."""
        if is_array(value):
            return value
        self._unread += [] if value is None else [unread(value, where)]
        return []

    def _add_part(self, part: JsonValue, where: str) -> None:
        if is_object(part):
            self._unread += calls_beside(part, _READ_OF_PART, where)
            if sum(part.get(key) is not None for key in _ONE_OF) > 1:
                self._unread.append(unread(part, f"{where}: a part that is two things"))
        call: JsonValue = part.get("functionCall") if is_object(part) else None
        if is_object(call):
            name = call.get("name")
            if not isinstance(name, str) or not name:
                raise bad_reply(f"{where} is a call without a name")
            self._unread += calls_beside(call, _READ_OF_CALL, f"{where}.functionCall", also=OTHER_NAMES)
            args: JsonValue = call.get("args")
            self._calls.append(ToolCall(id=str(call.get("id") or ""), name=name, args={} if args is None else args))
        elif is_object(part) and is_object(code := part.get("executableCode")):
            self._calls.append(ToolCall(name="code_execution", args=code))
        elif is_object(part) and is_object(result := part.get("codeExecutionResult")):
            self._hosted_result(result, where)
        elif is_object(part) and isinstance(part.get("text"), str):
            (self._thoughts if part.get("thought") else self._texts).append(part["text"])
        elif not is_object(part) or not any(key in part for key in _WORDLESS):
            self._unread.append(unread(part, where))

    def _hosted_result(self, result: JsonObject, where: str) -> None:
        last = self._calls[-1] if self._calls else None
        if last is None or last.name != "code_execution" or last.result is not UNSET:
            self._unread.append(unread(result, where, "call"))
        else:
            self._calls[-1] = msgspec.structs.replace(last, result=result)

    def reply(self) -> ModelReply:
        """Raises CallFailed when nothing says how the answer ended."""
        if not self._reason:
            raise bad_reply(f"the answer ended without a finishReason, after {len(self._calls)} tool calls")
        wanted = any(not call.is_answered for call in self._calls)
        if self._reason in _CALL_REASONS and not wanted:
            self._unread.append(unread(self._reason, "$.finishReason: a call that is nowhere", "call"))
        return ModelReply(
            text="".join(self._texts),
            calls=tuple(self._calls),
            finish_reason="tool_calls" if wanted else FINISH_REASONS.get(self._reason, self._reason),
            usage=self._usage,
            extra={"reasoning": "".join(self._thoughts)} if self._thoughts else {},
            unread=tuple(self._unread),
        )


def _usage(value: JsonValue) -> Usage | None:
    if not is_object(value):
        return None
    counts = [value.get(name) for name in ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")]
    if counts == [None] * 3:
        return None
    if not all(count is None or (isinstance(count, int) and count >= 0) for count in counts):
        raise bad_reply(f"usageMetadata is {shorten(repr(value), 120)}, wanted counts of 0 or more")
    asked, said, thought = (count or 0 for count in counts)
    return Usage(asked, said + thought)
