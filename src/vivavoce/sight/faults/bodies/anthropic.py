"""Anthropic's messages."""

from vivavoce.model.json_value import JsonObject
from vivavoce.sight.faults.bodies.shape import Bodies, Event, Spoken

_ERRORS = {
    429: ("This request would exceed your organization's rate limit.", "rate_limit_error"),
    500: ("Internal server error", "api_error"),
    502: ("Bad gateway", "api_error"),
    503: ("Service unavailable", "api_error"),
    529: ("Overloaded", "overloaded_error"),
}
_TOO_LONG = "prompt is too long: 200001 tokens > 200000 maximum"
_STOPS = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}


def _wrapped(message: str, kind: str) -> JsonObject:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_viva_fault"}


def _error(status: int, message: str, _retry_after_s: float | None) -> JsonObject:
    usual, kind = _ERRORS[status]
    return _wrapped(message or usual, kind)


def _too_long(message: str) -> JsonObject:
    return _wrapped(message or _TOO_LONG, "invalid_request_error")


def _whole(spoken: Spoken) -> JsonObject:
    return {
        "id": "msg_viva_fault",
        "type": "message",
        "role": "assistant",
        "model": spoken.model,
        "content": [{"type": "text", "text": spoken.text}] if spoken.text else [],
        "stop_reason": _STOPS[spoken.finish],
        "stop_sequence": None,
        "usage": {"input_tokens": 0, "output_tokens": 0},
    }


def _events(spoken: Spoken) -> list[Event]:
    whole = _whole(spoken)
    steps: list[JsonObject] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
    ]
    if spoken.text:
        delta: JsonObject = {"type": "text_delta", "text": spoken.text}
        steps += [
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
        ]
    last: JsonObject = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    steps += [
        {"type": "message_delta", "delta": last, "usage": {"output_tokens": 0}},
        {"type": "message_stop"},
    ]
    return [(str(step["type"]), step) for step in steps]


ANTHROPIC = Bodies(error=_error, too_long=_too_long, whole=_whole, events=_events)
