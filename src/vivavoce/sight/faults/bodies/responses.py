"""OpenAI's responses."""

from vivavoce.model.json_value import JsonObject
from vivavoce.sight.faults.bodies.chat import error, too_long
from vivavoce.sight.faults.bodies.shape import Bodies, Event, Spoken

_ITEM = "msg_viva_fault"


def _part(spoken: Spoken) -> JsonObject:
    if spoken.finish == "refusal":
        return {"type": "refusal", "refusal": spoken.text}
    return {"type": "output_text", "text": spoken.text, "annotations": []}


def _status(spoken: Spoken) -> str:
    return "incomplete" if spoken.finish == "length" else "completed"


def _item(spoken: Spoken) -> JsonObject:
    head: JsonObject = {"id": _ITEM, "type": "message", "role": "assistant"}
    return {**head, "status": _status(spoken), "content": [_part(spoken)]}


def _whole(spoken: Spoken) -> JsonObject:
    reason: JsonObject | None = {"reason": "max_output_tokens"} if spoken.finish == "length" else None
    usage: JsonObject = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    details: JsonObject = {
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": "resp_viva_fault",
        "object": "response",
        "created_at": 0,
        "status": _status(spoken),
        "error": None,
        "incomplete_details": reason,
        "model": spoken.model,
        "output": [_item(spoken)],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {**usage, **details},
    }


def _events(spoken: Spoken) -> list[Event]:
    whole, item, part = _whole(spoken), _item(spoken), _part(spoken)
    field = "refusal" if spoken.finish == "refusal" else "text"
    kind = "response.refusal" if spoken.finish == "refusal" else "response.output_text"
    at: JsonObject = {"item_id": _ITEM, "output_index": 0, "content_index": 0}
    begun: JsonObject = {**item, "status": "in_progress", "content": []}
    steps: list[tuple[str, JsonObject]] = [
        ("response.created", {"response": {**whole, "status": "in_progress", "output": [], "usage": None}}),
        ("response.output_item.added", {"output_index": 0, "item": begun}),
        ("response.content_part.added", {**at, "part": {**part, field: ""}}),
        (f"{kind}.delta", {**at, "delta": spoken.text}),
        (f"{kind}.done", {**at, field: spoken.text}),
        ("response.content_part.done", {**at, "part": part}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        (f"response.{_status(spoken)}", {"response": whole}),
    ]
    return [(name, {"type": name, "sequence_number": number, **data}) for number, (name, data) in enumerate(steps)]


RESPONSES = Bodies(error=error, too_long=lambda said: too_long(said, "input"), whole=_whole, events=_events)
