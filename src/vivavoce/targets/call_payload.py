"""What user code receives with a call: plain messages, and a context that reads like an object or a dict."""

from typing import Any

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import Message
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext


class Context(JsonObject):
    """The `ctx` of user code: `ctx["session_id"]` and `ctx.session_id` are the same."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the context has no {name!r}; it has {', '.join(self)}") from None


class CallPayload:
    """Builds the payload of one conversation's calls; what never changes is made once."""

    __slots__ = ("_call", "_known")

    def __init__(self, context: CallContext) -> None:
        self._call = context
        self._known: JsonObject | None = None

    def opening(self) -> Context:
        """What is known before the first line."""
        return Context(self._lasting())

    def _lasting(self) -> JsonObject:
        """What is the same for all lines; made when it is asked for, since most functions take only the messages."""
        if self._known is None:
            call = self._call
            self._known = {
                "session_id": call.session_id,
                "case_id": call.case_id,
                "identity": Context(msgspec.to_builtins(call.identity)),
                "variables": call.variables,
                "state": call.state,
            }
            if call.workspace is not None:
                self._known["workspace"] = call.workspace
        return self._known

    def context(self, line: Line, transcript: Transcript) -> Context:
        options: JsonObject = msgspec.to_builtins(line.options)
        context = Context(
            self._lasting(),
            turn=len(transcript.turns) + 1,
            options=options,
            metadata=line.options.metadata,
        )
        if (provisions := self._call.provisions) is not None:
            context["headers"] = dict(provisions.headers)
            if provisions.base_urls:
                context["base_urls"] = dict(provisions.base_urls)
        if line.resume:
            context["resume"] = msgspec.to_builtins(line.resume)
        return context

    def messages(self, line: Line, transcript: Transcript) -> list[JsonObject]:
        return [plain_message(message) for message in transcript.messages(line)]


def plain_message(message: Message) -> JsonObject:
    """A message as OpenAI's chat API has it."""
    plain: JsonObject = {"role": message.role, "content": message.content}
    if message.name is not None:
        plain["name"] = message.name
    if message.tool_calls is not None:
        plain["tool_calls"] = message.tool_calls
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    return plain
