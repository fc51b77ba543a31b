"""Starts and talks to the process in which synchronous scripts run."""

import asyncio
import codecs
import secrets
import sys
from typing import Any, TextIO

import msgspec

from vivavoce.containment.captured_output import OutputLog
from vivavoce.containment.processes import describe_exit, end_group
from vivavoce.errors import CallFailed
from vivavoce.project.project import Project
from vivavoce.scripts.script_wire import HEADER_BYTES, ScriptReply, ScriptRequest, frame, frame_length

LATE_OUTPUT_S = 0.5
EXIT_GRACE_S = 1.0


class ScriptProcess(asyncio.SubprocessProtocol):
    """A process that runs one script at a time, again and again, until it is ended."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._transport: Any = None
        self._exited: asyncio.Future[int] = loop.create_future()
        self._reply: asyncio.Future[ScriptReply | None] = loop.create_future()
        self._all_output_seen: asyncio.Future[None] = loop.create_future()
        self._silent = False
        self._answer = bytearray()
        self._printed = bytearray()
        self._end_of_output = secrets.token_bytes(16)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._output: OutputLog | TextIO = sys.stderr

    @classmethod
    async def start(cls, project: Project) -> "ScriptProcess":
        process = cls()
        # The same import path as here, so that viva and the user's packages are found.
        code = (
            f"import sys; sys.path[:] = {sys.path!r}\n"
            "from vivavoce.scripts.script_worker import serve\n"
            f"serve({str(project.root)!r}, {project.config.scripts!r}, {process._end_of_output!r})"
        )
        await asyncio.get_running_loop().subprocess_exec(
            lambda: process, sys.executable, "-c", code, start_new_session=True
        )
        return process

    async def ready(self) -> None:
        """Waits until it can take its first request. One that ended instead is reported by the first call."""
        await self._reply

    @property
    def alive(self) -> bool:
        """Whether it can still answer."""
        return not self._silent and not self._exited.done()

    async def call(self, request: ScriptRequest, output: OutputLog | TextIO) -> ScriptReply:
        """One script's answer; what it prints meanwhile goes to `output`."""
        loop = asyncio.get_running_loop()
        self._reply, self._all_output_seen = loop.create_future(), loop.create_future()
        self._output = output
        if self._silent:
            self._reply.set_result(None)
            self._all_output_seen.set_result(None)
        else:
            self._transport.get_pipe_transport(0).write(frame(request))
        reply = await self._reply
        await asyncio.wait([self._all_output_seen], timeout=LATE_OUTPUT_S)
        if reply is None:
            exit_code = await asyncio.shield(self._exited)
            raise CallFailed(f"script {request.ref!r} ended its process ({describe_exit(exit_code)})", fault="test")
        return reply

    async def end(self) -> None:
        """Kills it with everything it started."""
        try:
            await end_group(self._transport, self._exited)
        finally:
            self._transport.close()

    async def close(self) -> None:
        """Asks it to exit, and kills it when it does not."""
        self._transport.get_pipe_transport(0).close()
        await asyncio.wait([self._exited], timeout=EXIT_GRACE_S)
        await self.end()

    # ── asyncio.SubprocessProtocol ──

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._answer += data
            self._read_answer()
        else:
            self._printed += data
            self._read_printed()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._silent = True
            if not self._reply.done():
                self._reply.set_result(None)
        if fd == 2 and not self._all_output_seen.done():
            self._all_output_seen.set_result(None)

    def process_exited(self) -> None:
        self._exited.set_result(self._transport.get_returncode() or 0)

    def _read_answer(self) -> None:
        if len(self._answer) < HEADER_BYTES:
            return
        end = HEADER_BYTES + frame_length(self._answer)
        if len(self._answer) >= end:
            reply = msgspec.json.decode(self._answer[HEADER_BYTES:end], type=ScriptReply)
            del self._answer[:end]
            if not self._reply.done():
                self._reply.set_result(reply)

    def _read_printed(self) -> None:
        """Passes output on, but holds back what may be the beginning of the end mark."""
        mark = self._end_of_output
        text, found, rest = self._printed.partition(mark)
        held_back = 0 if found else next((n for n in range(len(mark) - 1, 0, -1) if text.endswith(mark[:n])), 0)
        self._output.write(self._decoder.decode(bytes(text[: len(text) - held_back])))
        self._printed = rest if found else text[len(text) - held_back :]
        if found and not self._all_output_seen.done():
            self._all_output_seen.set_result(None)
