"""The page's Talk: conversations with the project's agents, started, led and ended by the browser."""

import asyncio
import secrets
from contextlib import suppress

from aiohttp import web
from msgspec import Struct

from vivavoce.app.talking.frames import GivenAnswer, Say
from vivavoce.app.talking.talk_link import TalkLink
from vivavoce.engine.resolve import known_agents, resolve_agent
from vivavoce.errors import UsageError
from vivavoce.model.message import Content
from vivavoce.project.project import Project
from vivavoce.results.encoding import encoded
from vivavoce.viewer.answers import position_in
from vivavoce.viewer.event_stream import event_bytes, new_stream, streaming
from vivavoce.viewer.posting import answer, done, posted
from vivavoce.viewer.talk import ANSWERING, OPENING, Talk

_MOST_OPEN = 6
_MOST_KEPT = 50
_UNATTENDED_S = 900.0
"""A conversation without a reader for this long is ended: its agent may cost money."""
_LOOK_EVERY_S = 15.0


class NewTalk(Struct, frozen=True, forbid_unknown_fields=True):
    agent: str


class NewLine(Struct, frozen=True, forbid_unknown_fields=True):
    content: Content = ""
    answers: tuple[GivenAnswer, ...] = ()


class TalkRoutes:
    """All conversations of one viewer. Only agents of the project can be talked to, by name."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._talks: dict[str, Talk] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/{token}/api/agents", self.agents),
            web.post("/{token}/api/talks", self.start),
            web.post("/{token}/api/talks/{talk}/say", self.say),
            web.post("/{token}/api/talks/{talk}/end", self.end),
            web.get("/{token}/api/talks/{talk}/events", self.events),
        ]

    async def agents(self, _: web.Request) -> web.Response:
        default = self.project.config.agent
        return answer(
            {"agents": [{"name": name, "kind": self._kind(name)} for name in self._names()], "default": default}
        )

    async def start(self, request: web.Request) -> web.Response:
        wanted = await posted(request, NewTalk)
        if wanted.agent not in self._names():
            raise web.HTTPNotFound(reason="there is no agent of this name in the project")
        if sum(not talk.is_over for talk in self._talks.values()) >= _MOST_OPEN:
            raise web.HTTPConflict(reason=f"{_MOST_OPEN} conversations are open: end one of them first")
        link = await done(lambda: TalkLink.start(self.project, wanted.agent))
        talk = Talk(secrets.token_hex(8), wanted.agent, link)
        self._forget_old()
        self._talks[talk.id] = talk
        self._tasks[talk.id] = asyncio.create_task(self._followed(talk))
        return answer({"id": talk.id}, 201)

    async def say(self, request: web.Request) -> web.Response:
        talk = self.find(request)
        said = await posted(request, NewLine)
        if talk.is_over:
            raise web.HTTPConflict(reason="the conversation is over")
        if talk.now.state in (OPENING, ANSWERING):
            raise web.HTTPConflict(reason="the agent is not ready for the next line")
        if not said.content and not said.answers:
            raise web.HTTPBadRequest(reason="say something")
        talk.say(Say(said.content, said.answers))
        return answer({})

    async def end(self, request: web.Request) -> web.Response:
        self.find(request).end()
        return answer({})

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Every turn once, numbered, and what is going on whenever it changes."""
        talk = self.find(request)
        known = _known(request)
        stream = new_stream()
        talk.listeners += 1
        try:
            async with streaming(stream, request):
                async for entries, now in talk.news(known):
                    for entry in entries:
                        known += 1
                        await stream.write(event_bytes("turn", encoded(entry), known))
                    await stream.write(event_bytes("now", encoded(now)))
        finally:
            talk.listeners -= 1
        return stream

    def find(self, request: web.Request) -> Talk:
        """The conversation that an address names. Raises HTTPNotFound."""
        talk = self._talks.get(request.match_info["talk"])
        if talk is None:
            raise web.HTTPNotFound(reason="there is no such conversation")
        return talk

    async def close(self) -> None:
        """Ends all conversations."""
        for talk in self._talks.values():
            talk.end()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _followed(self, talk: Talk) -> None:
        attending = asyncio.create_task(end_unattended(talk))
        try:
            await talk.follow()
        finally:
            attending.cancel()

    def _names(self) -> list[str]:
        return known_agents(self.project) + (["target"] if self.project.config.target else [])

    def _kind(self, name: str) -> str:
        with suppress(UsageError):
            return resolve_agent(name, self.project).kind
        return "?"

    def _forget_old(self) -> None:
        over = [talk.id for talk in self._talks.values() if talk.is_over]
        for talk_id in over[: max(0, len(self._talks) - _MOST_KEPT)]:
            del self._talks[talk_id], self._tasks[talk_id]


async def end_unattended(talk: Talk, *, after_s: float = _UNATTENDED_S, look_every_s: float = _LOOK_EVERY_S) -> None:
    """Ends the conversation once nobody has looked at it for so long."""
    alone_s = 0.0
    while alone_s < after_s:
        await asyncio.sleep(look_every_s)
        alone_s = 0.0 if talk.listeners else alone_s + look_every_s
    talk.end()


def _known(request: web.Request) -> int:
    return position_in(request.headers.get("Last-Event-ID") or request.query.get("start", "0"))
