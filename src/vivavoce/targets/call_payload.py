"""What user code is told about a call: plain messages and a context that reads like an object or a dict."""

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

    def __init__(self, context: CallContext) -> None:
        self._lasting = {
            "session_id": context.session_id,
            "case_id": context.case_id,
            "identity": Context(msgspec.to_builtins(context.identity)),
            "variables": context.variables,
            "state": context.state,
        }
        if context.workspace is not None:
            self._lasting["workspace"] = context.workspace
        self._provisions = context.provisions

    def opening(self) -> Context:
        """What is known before the first line."""
        return Context(self._lasting)

    def context(self, line: Line, transcript: Transcript) -> Context:
        options: JsonObject = msgspec.to_builtins(line.options)
        context = Context(
            self._lasting,
            turn=len(transcript.turns) + 1,
            options=options,
            metadata=line.options.metadata,
        )
        if self._provisions is not None:
            context["headers"] = dict(self._provisions.headers)
            if self._provisions.base_urls:
                context["base_urls"] = dict(self._provisions.base_urls)
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
