"""Follows runs by server-sent events while they go on, also runs of other processes."""

import asyncio
from collections.abc import AsyncIterator

from aiohttp import web

from vivavoce.results.encoding import encoded
from vivavoce.results.history.records import RunState
from vivavoce.results.stored_runs import run_as_json
from vivavoce.viewer.answers import MOST_HEADS, Answers, asked, listed, listed_runs, position_in
from vivavoce.viewer.event_stream import event_bytes, new_stream, streaming
from vivavoce.viewer.library import Library

_LOOK_EVERY_S = 0.3
_LOOKS_BETWEEN_SIGNS = 50


class LiveRuns:
    """`stop` ends every stream: the server is closing."""

    def __init__(self, library: Library, answers: Answers) -> None:
        self._library = library
        self._answers = answers
        self.stop = asyncio.Event()

    async def runs(self, request: web.Request) -> web.StreamResponse:
        """The whole list whenever something in it has changed."""
        stream, last = new_stream(), b""
        async with streaming(stream, request):
            async for _ in self._looks(stream):
                now = listed_runs(await asked(self._library.runs))
                if now != last:
                    last = now
                    await stream.write(event_bytes("runs", now))
        return stream

    async def run(self, request: web.Request) -> web.StreamResponse:
        """New cases and new totals, until the run has finished; a broken connection goes on where it was."""
        run = await self._answers.run_of(request.match_info["run"])
        stream, known, last = new_stream(), _start(request), b""
        async with streaming(stream, request):
            async for _ in self._looks(stream):
                kept = await asked(run.kept)
                while heads := await asked(run.heads, known, MOST_HEADS):
                    known += len(heads)
                    await stream.write(event_bytes("heads", listed(heads), known))
                now = encoded(run_as_json(kept))
                if now != last:
                    last = now
                    await stream.write(event_bytes("run", now))
                if kept.state is RunState.FINISHED:
                    break
        return stream

    async def _looks(self, stream: web.StreamResponse) -> AsyncIterator[None]:
        """Now, and again after each short wait, until the server closes."""
        looks = 0
        while not self.stop.is_set():
            yield
            looks += 1
            if looks % _LOOKS_BETWEEN_SIGNS == 0:
                # Only by writing is it found out that nobody reads any more.
                await stream.write(b": still here\n\n")
            try:
                await asyncio.wait_for(self.stop.wait(), _LOOK_EVERY_S)
            except TimeoutError:
                continue


def _start(request: web.Request) -> int:
    return position_in(request.headers.get("Last-Event-ID") or request.query.get("start", "0"))
