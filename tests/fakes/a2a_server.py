"""A small A2A server on loopback (v1.0, JSON-RPC and HTTP+JSON); a function of the test decides what it answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.fakes.accepting import pending_accepts

Event = dict[str, Any]
CONTEXT, TASK = "context-1", "task-1"


@dataclass(frozen=True)
class Asked:
    """One message as it arrived."""

    message: Event
    params: Event
    headers: dict[str, str]

    @property
    def text(self) -> str:
        return "\n".join(part["text"] for part in self.message["parts"] if "text" in part)


Behaviour = Callable[[Asked], AsyncIterator[Event]]


@dataclass
class FakeA2aServer:
    """Keeps what it was asked. `card` is changed by a test that wants it to lie."""

    behave: Behaviour
    streaming: bool = True
    asked: list[Asked] = field(default_factory=list)
    got: list[tuple[str, str]] = field(default_factory=list)
    """Method and path of every request."""
    card: Event = field(default_factory=dict)
    task: Event | None = field(default_factory=dict)
    """What is answered to GetTask; None: it is refused."""
    url: str = ""
    forbidden: bool = False
    """Whether it wants `Authorization: Bearer let-me-in`, for the card too."""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.got.append((request.method, request.path_qs))
        if self.forbidden and request.headers.get("Authorization") != "Bearer let-me-in":
            return web.Response(status=401, text="unauthorized")
        if request.path == "/.well-known/agent-card.json":
            return web.json_response(self.card) if self.card else web.Response(status=404)
        if request.path == "/rpc":
            return await self._rpc(request)
        if request.path in ("/rest/message:send", "/rest/message:stream"):
            return await self._answer(await request.json(), request, None)
        if request.path.startswith("/rest/tasks/"):
            return web.json_response(self.task)
        return web.Response(status=404)

    async def _rpc(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if request.headers.get("A2A-Version") != "1.0":
            return _error(body, -32009, "A2A version 0.3 is not supported")
        if body["method"] == "GetTask":
            if self.task is None:
                return _error(body, -32001, "no such task")
            return web.json_response({"jsonrpc": "2.0", "id": body["id"], "result": self.task})
        if body["method"] not in ("SendMessage", "SendStreamingMessage"):
            return _error(body, -32601, "Method not found")
        return await self._answer(body["params"], request, body)

    async def _answer(self, params: Event, request: web.Request, rpc: Event | None) -> web.StreamResponse:
        asked = Asked(params["message"], params, dict(request.headers))
        self.asked.append(asked)
        wrap: Callable[[Event], Event] = (
            (lambda event: event) if rpc is None else (lambda event: {"jsonrpc": "2.0", "id": rpc["id"], **event})
        )
        events = self.behave(asked)
        if "tream" not in (rpc["method"] if rpc else request.path):
            return web.json_response(wrap(_wrapped([event async for event in events][-1], rpc)))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        async for event in events:
            if "break" in event:
                assert request.transport is not None
                request.transport.abort()
                return response
            raw = event["raw"] if "raw" in event else f"data: {json.dumps(wrap(_wrapped(event, rpc)))}\n\n"
            await response.write(raw.encode())
        return response


@asynccontextmanager
async def a2a_server(behave: Behaviour, *, streaming: bool = True) -> AsyncIterator[FakeA2aServer]:
    fake = FakeA2aServer(behave, streaming)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", fake.handle)
    async with TestServer(app) as server:
        fake.url = str(server.make_url("/")).rstrip("/")
        fake.card = card_for(fake.url, streaming=streaming)
        try:
            yield fake
        finally:
            await pending_accepts()


def card_for(url: str, *, streaming: bool = True, binding: str = "JSONRPC", version: str = "1.0") -> Event:
    path = "/rpc" if binding == "JSONRPC" else "/rest"
    return {
        "name": "Fake",
        "supportedInterfaces": [{"url": url + path, "protocolBinding": binding, "protocolVersion": version}],
        "capabilities": {"streaming": streaming},
    }


# ── events and behaviours ──


def task(state: str, *, artifacts: list[Event] | None = None, message: Event | None = None) -> Event:
    status = {"state": f"TASK_STATE_{state}", **({"message": message} if message else {})}
    return {"task": {"id": TASK, "contextId": CONTEXT, "status": status, "artifacts": artifacts or []}}


def status(state: str, message: Event | None = None, **more: Any) -> Event:
    told = {"state": state, **({"message": message} if message else {})}
    return {"statusUpdate": {"taskId": TASK, "contextId": CONTEXT, "status": told, **more}}


def artifact(*parts: Event, artifact_id: str = "a1", **more: Any) -> Event:
    inner = {"artifactId": artifact_id, "parts": list(parts)}
    return {"artifactUpdate": {"taskId": TASK, "contextId": CONTEXT, "artifact": inner, **more}}


def of_agent(*parts: Event, message_id: str = "m1", **more: Any) -> Event:
    return {"messageId": message_id, "role": "ROLE_AGENT", "parts": list(parts), **more}


def says(*events: Event) -> Behaviour:
    """The same events whatever is asked; a float is seconds to wait."""

    async def behave(_: Asked) -> AsyncIterator[Event]:
        for event in events:
            yield event

    return behave


async def echo(asked: Asked) -> AsyncIterator[Event]:
    yield {"message": of_agent({"text": f"you said: {asked.text}"}, contextId=CONTEXT)}


async def whoami(asked: Asked) -> AsyncIterator[Event]:
    who = (asked.headers["X-Viva-User"], asked.headers["X-Viva-Team"], asked.headers["Accept-Language"])
    yield {"message": of_agent({"text": " ".join([*who, asked.params["metadata"]["colour"]])})}


async def hang(_: Asked) -> AsyncIterator[Event]:
    await asyncio.sleep(3600)
    yield {}


def _wrapped(event: Event, rpc: Event | None) -> Event:
    return event if rpc is None or "error" in event else {"result": event}


def _error(body: Event, code: int, message: str) -> web.Response:
    return web.json_response({"jsonrpc": "2.0", "id": body["id"], "error": {"code": code, "message": message}})
