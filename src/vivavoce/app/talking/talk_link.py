"""The page's end of a conversation: starts its process, speaks to it, and ends it with everything it started."""

import asyncio
import os
import socket
import sys
from contextlib import suppress

from vivavoce.app.talking.frames import End, FromAgent, Say, frame, read_from_agent
from vivavoce.containment.process_tree import MARK, end_all_of, new_mark
from vivavoce.containment.processes import describe_exit
from vivavoce.project.project import Project

_GRACE_S = 5.0
"""How long a conversation may take to end by itself: the agent's servers are stopped, its session is closed."""
_MOST_PRINTED = 8_000
_PIECE = 65_536


class TalkLink:
    """A conversation in a process of its own."""

    def __init__(
        self, process: asyncio.subprocess.Process, mark: str, streams: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    ) -> None:
        self._process = process
        self._mark = mark
        self._reader, self._writer = streams
        self._printed = bytearray()
        self._listening = asyncio.create_task(self._keep_printed())

    @classmethod
    async def start(cls, project: Project, agent: str) -> "TalkLink":
        """Raises OSError when no process can be started."""
        ours, theirs = socket.socketpair()
        mark = new_mark()
        config = [] if project.config_path is None else [str(project.config_path)]
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "vivavoce.app.talking.talk_process", str(theirs.fileno()), agent),
                *config,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env={**os.environ, MARK: mark},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        return cls(process, mark, await asyncio.open_connection(sock=ours))

    async def next(self) -> FromAgent | None:
        """What the conversation tells next; None when its process is gone."""
        return await read_from_agent(self._reader)

    @property
    def printed(self) -> str:
        """The end of what the agent's code printed."""
        return bytes(self._printed).decode(errors="replace")

    def say(self, said: Say) -> None:
        self._send(said)

    def end(self) -> None:
        """Asks for the end; `close` makes sure of it."""
        self._send(End())

    async def close(self, grace_s: float = _GRACE_S) -> str:
        """Waits a moment for the process, then kills it and all that it started. Returns how it ended."""
        self._writer.close()
        try:
            async with asyncio.timeout(grace_s):
                await self._process.wait()
        except TimeoutError:
            pass
        await asyncio.to_thread(end_all_of, self._process.pid, self._mark)
        exit_code = await self._process.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self._listening
        return describe_exit(exit_code)

    def _send(self, message: Say | End) -> None:
        if not self._writer.is_closing():
            self._writer.write(frame(message))

    async def _keep_printed(self) -> None:
        assert self._process.stdout is not None
        while piece := await self._process.stdout.read(_PIECE):
            self._printed += piece
            del self._printed[:-_MOST_PRINTED]
