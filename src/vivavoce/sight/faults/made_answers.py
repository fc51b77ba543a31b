"""Answers that a fault gives instead of the model provider, in the provider's own form."""

import math

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.sight.faults.bodies.anthropic import ANTHROPIC
from vivavoce.sight.faults.bodies.chat import CHAT
from vivavoce.sight.faults.bodies.gemini import GEMINI
from vivavoce.sight.faults.bodies.responses import RESPONSES
from vivavoce.sight.faults.bodies.shape import Bodies, Spoken, framed
from vivavoce.sight.faults.failing import REFUSAL
from vivavoce.sight.model_answer import Answer

BODIES: dict[str, Bodies] = {"chat": CHAT, "responses": RESPONSES, "anthropic": ANTHROPIC, "gemini": GEMINI}
"""By the name of the API's dialect."""
_JSON = {"content-type": "application/json"}
_EVENTS = {"content-type": "text/event-stream; charset=utf-8"}


def made_answer(fault: PlannedFault, api: str, model: str, *, stream: bool) -> Answer | None:
    """Returns the answer when no provider has to be asked; None for a fault that needs the real answer."""
    bodies, kind = BODIES[api], fault.kind
    if kind.isdecimal():
        body = bodies.error(int(kind), fault.message, fault.seconds)
        return _whole(int(kind), body, _JSON if fault.seconds is None else {**_JSON, **_waiting(fault.seconds)})
    if kind == "context_length":
        return _whole(400, bodies.too_long(fault.message), _JSON)
    if kind == "refusal":
        said = Spoken(text=fault.message or REFUSAL, finish="refusal", model=model)
        return spoken_answer(said, api, stream=stream)
    if kind == "empty":
        return spoken_answer(Spoken(text="", finish="stop", model=model), api, stream=stream)
    return None


def spoken_answer(spoken: Spoken, api: str, *, stream: bool) -> Answer:
    """Returns a text as the model's API sends it."""
    if stream:
        events = BODIES[api].events(spoken)
        return Answer(status=200, headers=dict(_EVENTS), chunks=[(0.0, framed(events))], is_whole=True)
    return _whole(200, BODIES[api].whole(spoken), _JSON)


def _whole(status: int, body: JsonObject, headers: dict[str, str]) -> Answer:
    return Answer(status=status, headers=dict(headers), chunks=[(0.0, msgspec.json.encode(body))], is_whole=True)


def _waiting(seconds: float) -> dict[str, str]:
    """The headers that ask a client to wait: some clients read milliseconds, all read whole seconds."""
    return {"retry-after-ms": f"{seconds * 1000:g}", "retry-after": str(math.ceil(seconds))}
