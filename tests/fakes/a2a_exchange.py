"""A conversation with an A2A agent without a server: every answer is ready, in any of the four dialects."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.targets.a2a.channel import SSE, Channel
from vivavoce.targets.a2a.session import A2aSession, Settings
from vivavoce.targets.a2a.wire import Interface
from vivavoce.targets.http_exchange import HttpCaller

DIALECTS = [
    Interface(url="http://desk", transport="JSONRPC", version="1.0"),
    Interface(url="http://desk", transport="JSONRPC", version="0.3"),
    Interface(url="http://desk", transport="HTTP+JSON", version="1.0"),
    Interface(url="http://desk", transport="HTTP+JSON", version="0.3"),
]


class ReadyAnswer:
    """A response with its whole body."""

    def __init__(self, body: bytes, content_type: str, status: int = 200) -> None:
        self.status = status
        self.headers = {"content-type": content_type}
        self._body = body

    async def chunks(self) -> AsyncIterator[bytes]:
        yield self._body


class ReadyAnswers:
    """Gives the n-th answer to the n-th request, the last one again and again."""

    def __init__(self, answers: Sequence[ReadyAnswer]) -> None:
        self._answers = list(answers)

    @asynccontextmanager
    async def request(self, *_: Any) -> AsyncIterator[ReadyAnswer]:
        yield self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


async def a2a_reply(
    interface: Interface, *events: Any, stream: bool, beside: dict[str, Any] | None = None
) -> AgentReply:
    """What a line is answered, when the server tells these events in a stream, or the only one of them at once.

    `beside` stands in each JSON-RPC response, next to its result. Asked again, it knows no task.
    """
    is_rpc = interface.transport == "JSONRPC"
    told = [{"jsonrpc": "2.0", "id": "1", "result": event, **(beside or {})} if is_rpc else event for event in events]
    if stream:
        body, kind = "".join(f"data: {json.dumps(each)}\n\n" for each in told), SSE
    else:
        body, kind = json.dumps(told[0]), "application/json"
    gone = ReadyAnswer(b"no such task", "text/plain", 404)
    caller = cast("HttpCaller", ReadyAnswers([ReadyAnswer(body.encode(), kind), gone]))
    session = A2aSession(Channel(caller, interface, stream=stream), Settings())
    return await session.send(Line(content="go"), Transcript())
