"""Jobs in worker processes on this machine: `--executor processes`. Each holds one conversation at a time."""

import asyncio
import pickle
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.executors.frames import read_frame, write_frame
from vivavoce.executors.job_runner import Batch
from vivavoce.executors.local import LocalExecutor
from vivavoce.executors.worker_link import WorkerDied
from vivavoce.executors.worker_pool import open_pool, stays_here
from vivavoce.model.result import Attempt
from vivavoce.protocols import Done, Job, Work, WorkerSetup
from vivavoce.version import __version__

CLOSING_S = 5.0
PROGRAM = "vivavoce.executors.worker_process"


class ProcessExecutor:
    """As many processes as conversations at once."""

    def __init__(self, parallel: int, setup: WorkerSetup) -> None:
        self._size = max(1, min(parallel, setup.most or parallel))
        self._setup = setup

    async def run(self, jobs: Iterator[Job], work: Work, done: Done) -> None:
        starter = ProcessStarter(pickle.dumps(self._setup.opener(self._size)))
        async with open_pool(self._size, 1, starter, self._setup.may_repeat) as pool:

            async def here_or_there(job: Job) -> Attempt:
                return await (work(job) if stays_here(job) else pool.work(job))

            await LocalExecutor(self._size).run(jobs, here_or_there, done)


def process_executor(parallel: int, address: str | None, setup: WorkerSetup) -> ProcessExecutor:
    """`--executor processes`: protocols.ExecutorFactory."""
    if address is not None:
        raise UsageError(f"--executor processes has no address, but {address!r} was given")
    return ProcessExecutor(parallel, setup)


class ProcessStarter:
    """worker_pool.WorkerStarter on this machine."""

    def __init__(self, opener: bytes) -> None:
        self._opener = opener

    def start(self) -> "ProcessWorker":
        return ProcessWorker(self._opener)

    def start_extra(self) -> "ProcessWorker":
        return ProcessWorker(self._opener)


class _Line(Struct, frozen=True):
    """A process that was started, and the connection to it."""

    process: Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class ProcessWorker:
    """worker_link.Worker: a JobRunner in a process of its own, reached through a pair of sockets."""

    def __init__(self, opener: bytes) -> None:
        self._opener = opener
        self._starting: asyncio.Future[_Line] | None = None

    async def open(self) -> None:
        self._starting = asyncio.ensure_future(_started())
        await self._send(pickle.dumps((__version__, list(sys.path), self._opener)))
        if problem := (await self._receive()).decode():
            raise UsageError(f"a worker process cannot do the work: {problem}")

    async def give(self, jobs: Batch) -> None:
        await self._send(pickle.dumps(jobs))

    async def collect(self) -> Batch:
        return pickle.loads(await self._receive())

    async def end(self) -> None:
        if self._starting is not None:
            await _to_its_end(_ended(self._starting))

    async def _line(self) -> _Line:
        assert self._starting is not None, "it is opened first"
        # Shielded: `end` must know the process, even when the start is cancelled.
        try:
            return await asyncio.shield(self._starting)
        except OSError as error:  # the system has no process, memory or descriptor left at this moment
            raise WorkerDied(f"worker process could not be started: {error}") from None

    async def _send(self, data: bytes) -> None:
        line = await self._line()
        try:
            await write_frame(line.writer, data)
        except OSError:
            raise await _death(line) from None

    async def _receive(self) -> bytes:
        line = await self._line()
        try:
            return await read_frame(line.reader)
        except (EOFError, OSError):
            raise await _death(line) from None


async def _started() -> _Line:
    ours, theirs = socket.socketpair()
    try:
        with theirs:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                PROGRAM,
                str(theirs.fileno()),
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # In a session of its own, so that Ctrl-C reaches viva only, which then ends its workers.
                start_new_session=True,
            )
    except OSError:
        ours.close()
        raise
    return _Line(process, *await asyncio.open_connection(sock=ours))


async def _ended(starting: "asyncio.Future[_Line]") -> None:
    """Closing the line tells the process to close what it opened; one that does not end in time is killed."""
    try:
        line = await starting
    except OSError:  # it never began
        return
    line.writer.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(CLOSING_S):
            await line.process.wait()
    if line.process.returncode is None:
        line.process.kill()
        await line.process.wait()


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Awaits work that must not be broken off. A cancellation that comes meanwhile is raised when the work is done."""
    task = asyncio.ensure_future(work)
    is_cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            is_cancelled = True
    if is_cancelled:
        raise asyncio.CancelledError


async def _death(line: _Line) -> WorkerDied:
    code: int | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(CLOSING_S):
            code = await line.process.wait()
    return WorkerDied(f"worker process ended before it reported this case (exit code {code})")
