"""What went wrong with an exchange, in words, and whose fault it is."""

import msgspec
from msgspec import Struct, structs

from vivavoce.model.json_value import JsonObject, JsonValue, is_object, object_in, text_of
from vivavoce.model.message import ExchangeStatus
from vivavoce.targets.a2a.spelling import objects_in, text_in
from vivavoce.targets.a2a.wire import Interface, Request
from vivavoce.wording.quoting import quote_bytes

INTERNAL_ERROR = -32603
_UNKNOWN_METHOD = -32601
_WRONG_VERSION = -32009
_UNSUPPORTED = -32004
_WRONG_DIALECT = (_UNKNOWN_METHOD, -32600, _WRONG_VERSION)
_WRONG_PLACE = (400, 404, 405)
_QUOTED = 300


class Failure(Struct, frozen=True, kw_only=True):
    """An exchange that did not work."""

    status: ExchangeStatus
    error: str
    is_wrong_dialect: bool = False
    """Whether the server does not speak the version or transport it was asked in: nothing was executed."""

    @property
    def is_of_setup(self) -> bool:
        """Whether the server did not understand, rather than the agent failed or the line broke."""
        return self.status in (ExchangeStatus.PROTOCOL_ERROR, ExchangeStatus.HTTP_ERROR)

    def at_a_guess(self, guess: str) -> "Failure":
        """Returns the failure with the reason why its address is only a guess, if there is one."""
        return structs.replace(self, error=f"{self.error} ({guess})") if guess and self.is_of_setup else self


def of_rpc_error(error: JsonObject, request: Request, interface: Interface) -> Failure:
    """A JSON-RPC error. Internal errors are the agent's, all others the set-up's."""
    code = error.get("code")
    said = text_in(error, "message") or text_of(error)
    if code == INTERNAL_ERROR:
        return Failure(status=ExchangeStatus.ERROR, error=f"the agent answered with error {code}: {said}")
    what = f"the server refused {request.name} with error {text_of(code)}: {said}"
    wrong = code in _WRONG_DIALECT
    if wrong and code != -32600:
        what += f"; it was asked in {interface}, check `version` and `transport` of the agent, or what its card says"
    elif code == _UNSUPPORTED and "stream" in request.name.lower():
        what += "; if its card promises streams that it does not have, write `stream: false` at the agent"
    return Failure(status=ExchangeStatus.PROTOCOL_ERROR, error=what, is_wrong_dialect=wrong)


def of_http_status(status: int, body: bytes, request: Request) -> Failure:
    """An answer with a status that is no success and no JSON-RPC error."""
    try:
        value: JsonValue = msgspec.json.decode(body)
    except (ValueError, RecursionError):
        value = None
    told = value if is_object(value) else {}
    inner = object_in(told, "error")
    said = text_in(inner, "message") or text_in(told, "message", "detail", "error") or quote_bytes(body, _QUOTED)
    what = f"HTTP {status} to {request.name}" + (f": {said}" if said else "")
    if status in (401, 403):
        what += " (credentials belong under `headers` of the agent, e.g. `Authorization: Bearer ${ENV.TOKEN}`)"
    elif _is_own_dialect(told):
        what += " (the server speaks a dialect of its own, such as python-a2a's `tasks/send`, which is no A2A)"
    elif inner and status >= 500:
        # In HTTP+JSON this status is the only sign of an agent that raised.
        return Failure(status=ExchangeStatus.ERROR, error=f"the agent answered with {what}")
    return Failure(status=ExchangeStatus.HTTP_ERROR, error=what, is_wrong_dialect=status in _WRONG_PLACE)


def of_content(status: int, content_type: str, body: bytes) -> Failure:
    """An answer that is neither JSON nor an event stream."""
    seen = f"content type {content_type!r}" if content_type else "no content type"
    quoted = quote_bytes(body, _QUOTED)
    error = f"HTTP {status} with {seen} instead of JSON" + (f": {quoted}" if quoted else "")
    return Failure(status=ExchangeStatus.PROTOCOL_ERROR, error=error)


def protocol_error(error: str) -> Failure:
    return Failure(status=ExchangeStatus.PROTOCOL_ERROR, error=error)


def cut_off(why: str) -> Failure:
    """A stream that ended before the task did."""
    return Failure(status=ExchangeStatus.TRUNCATED, error=f"the stream was cut off before the task was over: {why}")


def unanswered_poll(failure: Failure) -> Failure:
    """The failure of asking for a task, with the reason why it was asked for: its stream had ended too early."""
    if not failure.is_of_setup:
        return failure
    what = f"the stream ended before the task was over, and the task cannot be asked for: {failure.error}"
    return structs.replace(failure, error=what)


def _is_own_dialect(told: JsonObject) -> bool:
    return any("type" in part for part in objects_in(told.get("parts")))
