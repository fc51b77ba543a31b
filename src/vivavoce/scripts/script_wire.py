"""The messages between viva and the script process: JSON frames with their length in front."""

from typing import Literal

import msgspec
from msgspec import Struct

from vivavoce.containment.user_errors import describe_exception, failed_assertion, user_traceback
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue

HEADER_BYTES = 8


class ScriptRequest(Struct, frozen=True, kw_only=True):
    ref: str
    args: JsonArray
    ctx: JsonObject


class ScriptReply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of a call: a value, or an error as plain data."""

    kind: Literal["value", "assertion", "failed", "usage"] = "value"
    value: JsonValue = None
    what: str = ""
    at: str | None = None
    hint: str | None = None
    traceback: str = ""

    def result(self) -> JsonValue:
        """Returns the value, or raises the error that the script process reported."""
        if self.kind == "value":
            return self.value
        if self.kind == "assertion":
            raise AssertionError(self.what)
        if self.kind == "usage":
            raise UsageError(self.what, at=self.at, hint=self.hint)
        raise with_traceback(CallFailed(self.what, fault="test", hint=self.hint), self.traceback)


def reply_for(error: Exception) -> ScriptReply:
    """An error that `script_problem` or the loader made, as plain data."""
    if isinstance(error, UsageError):
        at = _sendable(str(error.at)) if error.at else None
        return ScriptReply(kind="usage", what=_sendable(error.what), at=at, hint=_sendable(error.hint or "") or None)
    if isinstance(error, CallFailed):
        notes: list[str] = getattr(error, "__notes__", [])
        return ScriptReply(
            kind="failed",
            what=_sendable(error.what),
            hint=_sendable(error.hint or "") or None,
            traceback=_sendable("\n".join(notes)),
        )
    return ScriptReply(kind="assertion", what=_sendable(str(error)))


def _sendable(text: str) -> str:
    """Names of files that are not UTF-8 stand in texts as halves of characters, which JSON cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def script_problem(ref: str, error: BaseException) -> Exception:
    """Returns the error to raise for a script's exception: AssertionError stays, all others become CallFailed."""
    if isinstance(error, AssertionError):
        return AssertionError(failed_assertion(error))
    failure = CallFailed(f"script {ref!r}: {describe_exception(error)}", fault="test")
    return with_traceback(failure, user_traceback(error))


def with_traceback(failure: CallFailed, traceback: str) -> CallFailed:
    """Adds the user's own traceback lines to the failure as a note."""
    if traceback:
        failure.add_note(traceback)
    return failure


def frame(message: Struct) -> bytes:
    body = msgspec.json.encode(message)
    return len(body).to_bytes(HEADER_BYTES) + body


def frame_length(header: bytes | bytearray) -> int:
    return int.from_bytes(header[:HEADER_BYTES])
