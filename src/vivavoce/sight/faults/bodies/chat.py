"""OpenAI's chat completions."""

from vivavoce.model.json_value import JsonObject
from vivavoce.sight.faults.bodies.shape import Bodies, Event, Spoken

_ERRORS = {
    429: ("Rate limit reached for requests", "requests", "rate_limit_exceeded"),
    500: ("The server had an error while processing your request. Sorry about that!", "server_error", None),
    502: ("Bad gateway.", "server_error", None),
    503: ("The engine is currently overloaded, please try again later", "server_error", None),
    529: ("The engine is currently overloaded, please try again later", "server_error", None),
}
TOO_LONG = "This model's maximum context length is 8192 tokens. Please reduce the length of the messages."


def error(status: int, message: str, _retry_after_s: float | None) -> JsonObject:
    usual, kind, code = _ERRORS[status]
    return {"error": {"message": message or usual, "type": kind, "param": None, "code": code}}


def too_long(message: str, param: str = "messages") -> JsonObject:
    code = "context_length_exceeded"
    return {"error": {"message": message or TOO_LONG, "type": "invalid_request_error", "param": param, "code": code}}


def _head(spoken: Spoken, kind: str) -> JsonObject:
    return {"id": "chatcmpl-viva-fault", "object": kind, "created": 0, "model": spoken.model}


def _words(spoken: Spoken) -> JsonObject:
    if spoken.finish == "refusal":
        return {"role": "assistant", "content": None, "refusal": spoken.text}
    return {"role": "assistant", "content": spoken.text}


def _reason(spoken: Spoken) -> str:
    return "length" if spoken.finish == "length" else "stop"


def _whole(spoken: Spoken) -> JsonObject:
    choice: JsonObject = {"index": 0, "message": _words(spoken), "finish_reason": _reason(spoken), "logprobs": None}
    usage: JsonObject = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    return {**_head(spoken, "chat.completion"), "choices": [choice], "usage": usage}


def _events(spoken: Spoken) -> list[Event]:
    head = _head(spoken, "chat.completion.chunk")
    first: JsonObject = {"index": 0, "delta": _words(spoken), "finish_reason": None}
    last: JsonObject = {"index": 0, "delta": {}, "finish_reason": _reason(spoken)}
    return [("", {**head, "choices": [first]}), ("", {**head, "choices": [last]}), ("", "[DONE]")]


CHAT = Bodies(error=error, too_long=too_long, whole=_whole, events=_events)
