"""Gemini's generateContent."""

from vivavoce.model.json_value import JsonObject
from vivavoce.sight.faults.bodies.shape import Bodies, Event, Spoken

_ERRORS = {
    429: ("Resource has been exhausted (e.g. check quota).", "RESOURCE_EXHAUSTED"),
    500: ("An internal error has occurred. Please retry.", "INTERNAL"),
    502: ("Bad gateway.", "UNAVAILABLE"),
    503: ("The model is overloaded. Please try again later.", "UNAVAILABLE"),
    529: ("The model is overloaded. Please try again later.", "UNAVAILABLE"),
}
_TOO_LONG = "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)."


def _error(status: int, message: str, retry_after_s: float | None) -> JsonObject:
    usual, name = _ERRORS[status]
    error: JsonObject = {"code": status, "message": message or usual, "status": name}
    if retry_after_s is not None:
        wait: JsonObject = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{retry_after_s:g}s"}
        error["details"] = [wait]
    return {"error": error}


def _too_long(message: str) -> JsonObject:
    return {"error": {"code": 400, "message": message or _TOO_LONG, "status": "INVALID_ARGUMENT"}}


def _whole(spoken: Spoken) -> JsonObject:
    candidate: JsonObject = {"index": 0, "finishReason": "MAX_TOKENS" if spoken.finish == "length" else "STOP"}
    if spoken.finish == "refusal":
        candidate["finishReason"] = "SAFETY"  # Gemini refuses without a text.
    else:
        candidate["content"] = {"role": "model", "parts": [{"text": spoken.text}] if spoken.text else []}
    usage: JsonObject = {"promptTokenCount": 0, "candidatesTokenCount": 0, "totalTokenCount": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": spoken.model}


def _events(spoken: Spoken) -> list[Event]:
    return [("", _whole(spoken))]


GEMINI = Bodies(error=_error, too_long=_too_long, whole=_whole, events=_events)
