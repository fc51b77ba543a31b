"""Lets the warm process run rounds, and waits for their end."""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

import msgspec

from vivavoce.cli.watching.rounds import Ended, Round, RoundOutcome
from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject


class RoundRunner:
    """Use it as an async context manager: at its end nothing it started is left."""

    def __init__(self, flags: JsonObject, command: str) -> None:
        self._flags, self._command = flags, command
        self._folder = tempfile.TemporaryDirectory(prefix="viva-watch-")
        self._reply = Path(self._folder.name) / "outcome.json"

    async def __aenter__(self) -> "RoundRunner":
        mine, theirs = os.pipe()
        # A session of its own: Ctrl-C at the terminal reaches the watcher, which tells the round once.
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "vivavoce.cli.watching.warm_process", str(theirs)),
            stdin=asyncio.subprocess.PIPE,
            pass_fds=(theirs,),
            start_new_session=True,
        )
        os.close(theirs)
        self._replies = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        self._pipe, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._replies), os.fdopen(mine, "rb")
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()
        self._pipe.close()
        self._folder.cleanup()

    async def run(
        self,
        *,
        only: tuple[str, ...] | None = None,
        changed: tuple[str, ...] | None = None,
        first: tuple[str, ...] = (),
        update_snapshots: bool = False,
    ) -> Ended:
        """Runs one round to its end. Raises VivaError when the process is gone."""
        flags = {**self._flags, "update_snapshots": True} if update_snapshots else self._flags
        self._reply.unlink(missing_ok=True)
        self._send(
            msgspec.json.encode(
                Round(
                    flags=flags,
                    command=self._command,
                    reply_to=str(self._reply),
                    only=only,
                    changed=changed,
                    first=first,
                )
            )
        )
        line = await self._replies.readline()
        if not line:
            raise VivaError("the process that runs the tests has ended")
        return Ended(int(line), self._outcome())

    def stop(self) -> None:
        """Ends the round as Ctrl-C does: its results so far are kept and shown."""
        self._send(b'"stop"')

    def kill(self) -> None:
        """Ends the round at once."""
        self._send(b'"kill"')

    def _send(self, line: bytes) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(line + b"\n")

    def _outcome(self) -> RoundOutcome:
        try:
            return msgspec.json.decode(self._reply.read_bytes(), type=RoundOutcome)
        except (OSError, ValueError):
            return RoundOutcome()  # it was killed
