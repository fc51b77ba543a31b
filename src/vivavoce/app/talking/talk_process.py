"""The process of one conversation: `python -m vivavoce.app.talking.talk_process FD AGENT [CONFIG]`.

It has the agent's code to itself: what that prints, blocks or breaks does not reach the page's server, and a new
conversation runs the code as it reads then.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

from msgspec import Raw

from vivavoce.app.opening import open_project
from vivavoce.app.request import RunRequest
from vivavoce.app.talking.frames import (
    Answered,
    Answering,
    Closed,
    End,
    FromAgent,
    Opened,
    Say,
    SoFar,
    Unanswered,
    frame,
    read_to_agent,
)
from vivavoce.app.talking.spoken_line import line_of
from vivavoce.containment.safe_stream import without_secrets
from vivavoce.engine.chat import converse_freely
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import VivaError
from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript, Turn
from vivavoce.protocols import Partial, Session
from vivavoce.results.encoding import encoded
from vivavoce.results.turn_rows import call_rows, turn_row

_LOOK_EVERY_S = 0.1

Send = Callable[[FromAgent], None]
"""Sends a message to the page's server."""


async def converse(link: socket.socket, agent: str, config: str | None) -> None:
    """Holds the conversation that the other side of the link leads. Returns when it is over."""
    reader, writer = await asyncio.open_connection(sock=link)

    def send(message: FromAgent) -> None:
        writer.write(frame(message))

    talk = asyncio.create_task(_talk(reader, send, agent, config))
    try:
        await talk
        send(Closed())
    except asyncio.CancelledError:
        send(Closed())
    except VivaError as problem:
        send(Closed(without_secrets(str(problem))))
    writer.close()
    with suppress(ConnectionError):
        # Waits until everything is sent, because the process ends at once afterwards.
        await writer.wait_closed()


async def _talk(reader: asyncio.StreamReader, send: Send, agent: str, config: str | None) -> None:
    project = open_project(config)
    request = RunRequest.of({"agent": agent}).with_defaults(project.config.run)
    resources = RunResources(project, request.settings(agent=agent))
    case = resources.with_common_metadata(Case(id="talk"))
    person = _PersonElsewhere(case, resources, send)
    me = asyncio.current_task()
    assert me is not None
    listening = asyncio.create_task(_listen(reader, person, me))
    try:
        await converse_freely(resources, case, person, person)
    finally:
        listening.cancel()
        await resources.close()


async def _listen(reader: asyncio.StreamReader, person: "_PersonElsewhere", talk: "asyncio.Task[None]") -> None:
    """Passes on what the user says. The agent is stopped when the chat ends or the server is gone."""
    while isinstance(said := await read_to_agent(reader), Say):
        person.said.put_nowait(said)
    if not (isinstance(said, End) and person.is_waiting):
        talk.cancel()
        return
    person.said.put_nowait(said)


class _PersonElsewhere:
    """Speaks the lines that come over the link, and tells what the agent does meanwhile."""

    def __init__(self, case: Case, resources: RunResources, send: Send) -> None:
        self.said: asyncio.Queue[Say | End] = asyncio.Queue()
        self.is_waiting = False
        self._case = case
        self._resources = resources
        self._send = send
        self._session: Session | None = None
        self._looking: asyncio.Task[None] | None = None

    # ── the speaker ──

    async def next_line(self, transcript: Transcript) -> Line | Ending:
        self.is_waiting = True
        said = await self.said.get()
        self.is_waiting = False
        if isinstance(said, End):
            return Ending(EndReason.ENDED_BY_HUMAN, "ended on the page")
        line = line_of(said, transcript, self._case.options)
        self._send(Answering(line.content, list(line.resume) or None))
        self._looking = asyncio.create_task(self._look())
        return line

    def close(self) -> None:
        self._stop_looking()

    # ── the display ──

    def opened(self, session: Session) -> None:
        self._session = session
        self._send(Opened(self._resources.settings.timeout_s))

    def answered(self, turn: Turn) -> None:
        self._stop_looking()
        turn = self._resources.secrets.masked(turn)
        self._send(Answered(Raw(encoded(turn)), self._row(turn)))

    def unanswered(self, turn: Turn, why: str) -> None:
        self._stop_looking()
        secrets = self._resources.secrets
        self._send(Unanswered(self._row(secrets.masked(turn)), secrets.mask(why)))

    def _row(self, turn: Turn) -> Raw:
        return Raw(encoded(turn_row(self._case, turn)))

    async def _look(self) -> None:
        """Tells what was seen of the answer whenever there is more. What the last turn left behind is no news."""
        session = self._session
        if not isinstance(session, Partial):
            return
        known = session.so_far()
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            seen = session.so_far()
            if seen != known:
                known = seen
                self._send(SoFar(_reply(self._resources.secrets.masked(seen))))

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None


def _reply(reply: AgentReply) -> Raw:
    texts = [text for text in reply.texts or (reply.text,) if text]
    return Raw(encoded({"texts": texts, "tool_calls": call_rows(reply.calls)}))


async def _main(fd: str, agent: str, config: str | None = None) -> None:
    await converse(socket.socket(fileno=int(fd)), agent, config)
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads in which the agent's code never returns must not keep the process.
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
