"""The events of a streamed response, compared with the whole response that the last of them holds."""

from collections.abc import AsyncIterator

import msgspec

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import ToolCall, Unread
from vivavoce.model_wires.beside_the_reply import after_the_end, calls_beside, keys_written_twice, unknown_event
from vivavoce.model_wires.heard_so_far import on_broken_stream
from vivavoce.model_wires.responses_wire import json_object, read_response, words_and_calls
from vivavoce.net.web_answers import bad_reply, error_message, error_text
from vivavoce.notation.hidden_calls import unread
from vivavoce.protocols import ModelReply

_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
_WORDS = ("response.output_text.delta", "response.refusal.delta")
_PROGRESS = frozenset({"response.created", "response.queued", "response.in_progress", "keepalive", "ping"})
_KNOWN = tuple(
    f"response.{kind}"
    for kind in (
        *("output_item.", "content_part.", "output_text.", "refusal.", "reasoning", "function_call_arguments."),
        *("custom_tool_call_input.", "file_search_call.", "web_search_call.", "code_interpreter_call"),
        *("image_generation_call.", "mcp_call", "mcp_list_tools.", "audio.", "output_audio", "computer_call."),
        *("shell_call", "local_shell_call", "apply_patch_call", "compaction"),
    )
)
_FIELDS = frozenset(
    {"type", "response", "item", "part", "delta", "arguments", "input", "text", "refusal", "annotation", "logprobs"}
)

_MOST_SEARCHES = 100


async def read_stream(events: AsyncIterator[bytes]) -> ModelReply:
    """A reply that came as events; the last of them holds it whole. One without it broke off and is an error."""
    earlier = _EarlierEvents()
    on_broken_stream(earlier.so_far)
    async for data in events:
        if data.strip() in (b"", b"[DONE]"):
            continue
        event = json_object(data, "an event of the stream")
        kind: JsonValue = event.get("type")
        if kind == "error":
            raise bad_reply(f"the stream reports an error: {error_message(event) or error_text(data)}")
        earlier.missed += keys_written_twice(data)
        if kind in _ENDS and is_object(response := event.get("response")):
            # The event is the server's last word on how it ended, whatever the response inside it says.
            status = str(kind).removeprefix("response.")
            whole: JsonObject = {**response, "status": status, "output": response.get("output") or earlier.items}
            if earlier.length and not whole["output"]:
                raise bad_reply(f"the stream's last event does not hold the {earlier.length} characters that it sent")
            reply = read_response(whole, data)
            late = await after_the_end(events, "the stream after its last event")
            missed = [
                *earlier.missed,
                *earlier.not_in(reply, whole["output"]),
                *calls_beside(event, _FIELDS, "$"),
                *late,
            ]
            return msgspec.structs.replace(reply, unread=(*reply.unread, *missed))
        earlier.add(event, str(kind))
    seen = f"{earlier.length} characters and {len(earlier.items)} items"
    raise bad_reply(f"the stream ended without a last event, after {seen}")


class _EarlierEvents:
    """What the events before the last one held."""

    def __init__(self) -> None:
        self.items: JsonArray = []
        """Items that were finished."""
        self.missed: list[Unread] = []
        self.length = 0
        self._begun: JsonArray = []
        self._words: dict[tuple[str, str], list[str]] = {}

    def add(self, event: JsonObject, kind: str) -> None:
        if kind == "response.output_item.done":
            self.items.append(event.get("item"))
        elif kind == "response.output_item.added":
            self._begun.append(event.get("item"))
        elif kind == "response.function_call_arguments.done" and event.get("name"):
            self._begun.append({"type": "function_call", "name": event["name"]})
        elif kind in _WORDS:
            self._take(event)
        elif kind not in _PROGRESS and not kind.startswith(_KNOWN):
            self.missed += unknown_event(event)
            return
        if is_object(response := event.get("response")) and is_array(begun := response.get("output")):
            self._begun += begun
        self.missed += calls_beside(event, _FIELDS, "$")

    def so_far(self) -> ModelReply:
        """What was read before the stream broke."""
        calls: dict[str, ToolCall] = {}
        for item in (*self._begun, *self.items):
            calls |= {call.id or call.name: call for call in words_and_calls(item)[1]}
        text = "".join("".join(pieces) for pieces in self._words.values())
        return ModelReply(text=text, calls=tuple(calls.values()), unread=tuple(self.missed))

    def not_in(self, reply: ModelReply, output: JsonArray) -> list[Unread]:
        """What the events held and the whole response does not."""
        named = {(call.name, msgspec.json.encode(call.args)) for call in reply.calls}
        names = {call.name for call in reply.calls}
        had = {msgspec.json.encode(item, order="sorted") for item in output}
        found: list[Unread] = []
        said = [("its deltas", "".join(pieces)) for pieces in self._words.values()]
        for item in self.items:
            text, calls = words_and_calls(item)
            said.append(("a finished item", text))
            if any((call.name, msgspec.json.encode(call.args)) not in named for call in calls if not call.is_answered):
                found.append(unread(item, "a finished item that the last event does not have", "call"))
        for item in (*self.items, *self._begun):
            text, calls = words_and_calls(item)
            is_new = _is_unknown(item) and msgspec.json.encode(item, order="sorted") not in had
            if is_new or any(call.name not in names for call in calls):
                found.append(unread(item, "an item that the last event does not have", "call"))
        return found + _missing(said, reply.text, output)

    def _take(self, event: JsonObject) -> None:
        words = str(event.get("delta") or "")
        place = (str(event.get("item_id")), f"{event.get('output_index')}.{event.get('content_index')}")
        self._words.setdefault(place, []).append(words)
        self.length += len(words)


def _missing(said: list[tuple[str, str]], text: str, output: JsonArray) -> list[Unread]:
    """The words that the whole response does not have; blanks do not count.

    Words that are those of one item are found at once. Others are looked for in the whole text, which takes time for
    each: beyond `_MOST_SEARCHES` they count as missing.
    """
    whole = "".join(text.split())
    of_items = {"".join(words_and_calls(item)[0].split()) for item in output}
    searches = 0
    missing: list[Unread] = []
    for what, words in said:
        compact = "".join(words.split())
        if compact in of_items:
            continue
        searches += 1
        if searches > _MOST_SEARCHES or compact not in whole:
            missing.append(unread(words, f"words of {what} that the last event does not have"))
    return missing


def _is_unknown(item: JsonValue) -> bool:
    """Whether an item is of a kind that is neither words nor a call nor thoughts."""
    kind = str(item.get("type") or "") if is_object(item) else ""
    return kind not in ("message", "reasoning", "compaction", "mcp_list_tools") and not kind.endswith("_call")
