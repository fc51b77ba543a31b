"""A conversation with a model whose tools viva runs: offered, answered, until the model stops calling."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import UNSET, structs

from vivavoce.containment.captured_output import OutputLog
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model_wires.written_calls import calls_in_words
from vivavoce.protocols import CallContext, Connector, ModelReply, ModelRequest
from vivavoce.targets.agent_package.loop import ToolLoop
from vivavoce.targets.agent_package.tools import Tool
from vivavoce.targets.call_payload import CallPayload
from vivavoce.targets.endpoint_tools import unanswered
from vivavoce.targets.printed import with_logs


class ModelEndpoint(Protocol):
    """Where a conversation goes to."""

    @property
    def connector(self) -> Connector: ...

    def request(self, line: Line, transcript: Transcript) -> ModelRequest: ...


class TooledSession:
    """protocols.Session over the same bounded loop that agent packages run in."""

    def __init__(self, endpoint: ModelEndpoint, tools: Mapping[str, Tool], context: CallContext) -> None:
        self._endpoint = endpoint
        self._tools = tools
        self._payload = CallPayload(context)
        self._interventions = context.interventions
        self._loop: ToolLoop | None = None

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        self._loop = None
        request = self._endpoint.request(line, transcript)
        context = self._payload.context(line, transcript)
        loop = self._loop = ToolLoop(
            self._endpoint.connector,
            self._tools,
            request.options,
            context,
            headers=request.headers,
            interventions=self._interventions,
        )
        with OutputLog() as log:
            last = await loop.run(list(request.messages))
            return with_logs(_reply(loop, last), log)

    def so_far(self) -> AgentReply:
        """What was said and done in the turn that broke."""
        return AgentReply() if self._loop is None else self._loop.so_far()

    async def close(self) -> None: ...


def _reply(loop: ToolLoop, last: ModelReply) -> AgentReply:
    reply = loop.reply(last, UNSET)
    # Nobody answered a tool without a stub: no answer of it may be in the history.
    still_open = unanswered(reply.calls)
    said = tuple(message for message in reply.messages if message.tool_call_id not in still_open)
    thoughts = "\n".join(str(entry.get("text", "")) for entry in reply.trace)
    missed = calls_in_words("\n".join(reply.texts or (reply.text,)), thoughts)
    return structs.replace(reply, messages=said, unread=(*reply.unread, *missed))
