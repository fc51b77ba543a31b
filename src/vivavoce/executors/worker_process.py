"""The program of a worker process (`--executor processes`): a JobRunner at the end of a socket.

`python -m vivavoce.executors.worker_process DESCRIPTOR`. The first message sets it up and is answered with the problem,
or with nothing; each further one is a batch of jobs. It sends attempts as they finish, and ends with the connection.
"""

import asyncio
import pickle
import socket
import sys
from contextlib import suppress

from vivavoce.containment.loop_watch import LoopWatch
from vivavoce.executors.frames import read_frame, write_frame
from vivavoce.executors.job_runner import JobRunner

_PATIENCE_S = 120.0


async def serve(connection: socket.socket) -> None:
    """Works until the other side closes the connection, then closes what was opened."""
    reader, writer = await asyncio.open_connection(sock=connection)
    runner = JobRunner()
    sending = asyncio.ensure_future(_send_attempts(runner, writer))
    try:
        with LoopWatch(_PATIENCE_S), suppress(EOFError, ConnectionError):
            version, sys.path[:], opener = pickle.loads(await read_frame(reader))
            await write_frame(writer, (await runner.open(version, opener)).encode())
            while True:
                await runner.give(pickle.loads(await read_frame(reader)))
    finally:
        sending.cancel()
        await runner.close()
        writer.close()


async def _send_attempts(runner: JobRunner, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while True:
            await write_frame(writer, pickle.dumps(await runner.collect()))


if __name__ == "__main__":
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1]))))
