"""Commands of the user: input in, output out, and killed with everything they started."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from vivavoce.containment.captured_output import current_log
from vivavoce.containment.left_running import note_left_running
from vivavoce.containment.process_tree import MARK, end_all_of, new_mark

MAX_STDOUT_BYTES = 64 * 1024 * 1024
MAX_STDERR_BYTES = 64 * 1024
LAST_WORDS_S = 0.5
"""How long output is still read when a background process keeps the pipe open."""


class Finished(Struct, frozen=True, kw_only=True):
    """A command that has come to its end."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    """Its end, when there was a lot."""
    cut_off: bool = False
    """Whether a background process kept stdout open: it may have gone on to print."""

    @property
    def how(self) -> str:
        """`exit code 3`, or the signal that ended it."""
        return describe_exit(self.exit_code)

    @property
    def last_words(self) -> str:
        """The end of what it said on stderr, short enough for an error message."""
        return self.stderr.decode(errors="replace").strip()[-1000:]


class Printed:
    """What a command that is stopped before its end had printed."""

    stdout = b""
    stderr = b""

    @property
    def last_words(self) -> str:
        """The end of what it printed, short enough for an error message."""
        return (self.stderr or self.stdout).decode(errors="replace").strip()[-1000:]


class TooMuchOutput(Exception):
    """The command printed more than anyone can want."""


async def run_command(
    argv: Sequence[str],
    *,
    cwd: Path | str,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    ends_background: bool = False,
    printed: Printed | None = None,
) -> Finished:
    """Runs a command to its end; cancelling kills all that it started. Raises OSError when it cannot be started.

    With `ends_background`, what it left running in the background is killed too when it has ended. `printed` gets
    what the command printed, however it ended.
    """
    loop = asyncio.get_running_loop()
    mark = new_mark()
    marked = {**(os.environ if env is None else env), MARK: mark}
    starting = loop.create_task(
        loop.subprocess_exec(lambda: _Output(loop, mark), *argv, cwd=cwd, env=marked, start_new_session=True)
    )
    try:
        transport, output = await asyncio.shield(starting)
    except asyncio.CancelledError:
        # asyncio would kill the command alone, and then wait for whatever it has started already.
        transport, output = await starting
        await end_group(transport, output.exited, mark)
        transport.close()
        raise
    try:
        pipe: Any = transport.get_pipe_transport(0)
        if not pipe.is_closing():  # it may have ended, or want no input: uvloop refuses to write then
            pipe.write(stdin)
        pipe.close()
        exit_code = await asyncio.shield(output.exited)
        if output.too_much:
            raise TooMuchOutput(f"more than {MAX_STDOUT_BYTES >> 20} MB of output")
        with suppress(TimeoutError):
            await asyncio.wait_for(output.closed, LAST_WORDS_S)
        return Finished(
            exit_code=exit_code,
            stdout=bytes(output.stdout),
            stderr=bytes(output.stderr),
            cut_off=output.stdout_open,
        )
    finally:
        if printed is not None:
            printed.stdout, printed.stderr = bytes(output.stdout), bytes(output.stderr)
        if ends_background or not output.exited.done():
            await end_group(transport, output.exited, mark)
        transport.close()


async def end_group(
    transport: asyncio.SubprocessTransport, exited: "asyncio.Future[int]", mark: str | None = None
) -> None:
    """Kills a process and everything it started, and waits until it is gone."""
    _kill_all(transport, mark)
    if not exited.done():
        await asyncio.wait([exited], timeout=1)


def _kill_all(transport: asyncio.SubprocessTransport, mark: str | None) -> None:
    if not hasattr(os, "killpg"):
        transport.kill()
        return
    left = end_all_of(transport.get_pid(), mark or new_mark())
    if left:
        note_left_running(left)
        if (log := current_log()) is not None:
            log.write(f"viva: could not end what the command started: {', '.join(left)}\n")


def describe_exit(exit_code: int) -> str:
    """`exit code 3`, or the signal's name."""
    if exit_code >= 0:
        return f"exit code {exit_code}"
    try:
        return f"killed by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"killed by signal {-exit_code}"


class _Output(asyncio.SubprocessProtocol):
    # The streams of asyncio's own Process would wait for background processes that keep a pipe open.
    def __init__(self, loop: asyncio.AbstractEventLoop, mark: str) -> None:
        self._mark = mark
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.too_much = False
        self.stdout_open = True
        self.exited: asyncio.Future[int] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            if self.too_much:
                return
            self.stdout += data
            if len(self.stdout) > MAX_STDOUT_BYTES:
                self.too_much = True
                _kill_all(self._transport, self._mark)
        else:
            self.stderr = (self.stderr + data)[-MAX_STDERR_BYTES:]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self.stdout_open = False

    def process_exited(self) -> None:
        self.exited.set_result(self._transport.get_returncode() or 0)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
