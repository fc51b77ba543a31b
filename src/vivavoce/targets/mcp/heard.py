"""What an MCP server itself sent. For an answer that it cannot read, the SDK makes up an error of its own.

Taken for an answer of the server, such an error (`Server returned an error response`) would pass every check that
something is not said or done.
"""

import json

import msgspec

from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.notation.json_text import repeats_a_key

_UNREADABLE = -32700


class Heard:
    """The errors that one server sent."""

    def __init__(self) -> None:
        self._errors: set[int] = set()
        self.is_listening = True
        """False where the messages cannot be seen: then every error counts as the server's."""
        self.unread = ""
        """What the last answer was, where it was none; for messages."""

    def sent_error(self, code: int, message: str) -> bool:
        return not self.is_listening or hash((code, message)) in self._errors

    def doubt(self, message: bytes) -> str | None:
        """Why readers could read an object differently, or not at all; None when it is clear.

        Of what is no object the SDK makes an error, or nothing.
        """
        if not message.lstrip().startswith(b"{"):
            return None
        why = self._doubt(message)
        self.unread = why or ""
        return why

    def _doubt(self, message: bytes) -> str | None:
        try:
            value: JsonValue = msgspec.json.decode(message)
        except (ValueError, RecursionError) as error:
            return f"an answer that is no JSON ({error})"
        if repeats_a_key(message.decode()):
            return "an answer with a key written twice"
        if not is_object(value) or not is_object(error := value.get("error")):
            return None
        if "result" in value:
            return "an answer with a result and an error"
        self._errors.add(hash((error.get("code"), error.get("message"))))
        return None

    def clear_line(self, line: str) -> str:
        """The message as the SDK may read it: one in doubt becomes an error that the server did not send."""
        if (why := self.doubt(line.encode(errors="surrogatepass"))) is None:
            return line
        try:
            asked = json.loads(line).get("id")
        except (ValueError, RecursionError):
            return line  # the SDK reads it no better
        error = {"code": _UNREADABLE, "message": why}
        return json.dumps({"jsonrpc": "2.0", "id": asked, "error": error})
