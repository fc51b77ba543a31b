"""What the page asks for: runs, cases, comparisons. The store is asked in threads, one question at a time."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from aiohttp import web

from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonValue
from vivavoce.model.result import Summary
from vivavoce.reporters.html.contest_page import contest_data
from vivavoce.results.comparison.json_text import comparison_json
from vivavoce.results.comparison.run_comparison import compare_runs
from vivavoce.results.encoding import encoded
from vivavoce.results.history.records import KeptRun
from vivavoce.results.stored_runs import RunData, run_as_json
from vivavoce.statistics.proportions import wilson_interval
from vivavoce.viewer.library import Library
from vivavoce.viewer.search import positions_with

T = TypeVar("T")

MOST_HEADS = 5_000
LONGEST_POSITION = 15
"""Digits: no run has that many cases, and the store can still count that far."""


class Answers:
    def __init__(self, library: Library) -> None:
        self.library = library

    async def runs(self, _: web.Request) -> web.Response:
        return json_response(listed_runs(await asked(self.library.runs)))

    async def run(self, request: web.Request) -> web.Response:
        run = await self.run_of(request.match_info["run"])
        return json_response(encoded(run_as_json(await asked(run.kept))))

    async def heads(self, request: web.Request) -> web.Response:
        run = await self.run_of(request.match_info["run"])
        start = position_in(request.query.get("start", "0"))
        return json_response(listed(await asked(run.heads, start, MOST_HEADS)))

    async def row(self, request: web.Request) -> web.Response:
        run = await self.run_of(request.match_info["run"])
        row = await asked(run.row, position_in(request.match_info["position"]))
        if row is None:
            raise web.HTTPNotFound
        return json_response(row)

    async def search(self, request: web.Request) -> web.Response:
        run = await self.run_of(request.match_info["run"])
        query = request.query.get("q", "")
        found = await asked(lambda: positions_with(query, run.rows(), unwanted=lambda: is_gone(request)))
        return json_response(encoded({"positions": found}))

    async def contest(self, request: web.Request) -> web.Response:
        """Agents that ran the same cases in one run: their table and the matrix."""
        run = await self.run_of(request.match_info["run"])
        kept = await asked(run.kept)
        if not kept.info.contenders:
            raise web.HTTPNotFound(reason="this run compared no agents")
        return json_response(await asked(lambda: encoded(contest_data(kept.info, kept.summary, run.rows()))))

    async def compare(self, request: web.Request) -> web.Response:
        before = await self.run_of(request.query.get("before", ""))
        after = await self.run_of(request.query.get("after", ""))
        return json_response(await asked(lambda: b"".join(comparison_json(compare_runs(before, after)))))

    async def run_of(self, run_id: str) -> RunData:
        run = await asked(self.library.find, run_id)
        if run is None:
            raise web.HTTPNotFound
        return run


async def asked(question: Callable[..., T], *about: object) -> T:
    """Returns the answer, made in a thread. An error of the store is answered with its own message."""
    try:
        return await asyncio.to_thread(question, *about)
    except VivaError as problem:
        raise web.HTTPServiceUnavailable(reason=" ".join(str(problem).split())) from None


def is_gone(request: web.Request) -> bool:
    """Whether the client no longer waits: a search asks anew with every typed letter."""
    return request.transport is None or request.transport.is_closing()


def listed_runs(runs: list[KeptRun]) -> bytes:
    """The list of runs, each with the interval in which its true pass rate lies."""
    return encoded({"runs": [{**run_as_json(run), "interval": _interval(run.summary)} for run in runs]})


def _interval(summary: Summary) -> JsonValue:
    judged = summary.total - summary.skipped - summary.not_run
    return [round(100 * share, 2) for share in wilson_interval(summary.passed, judged)] if judged else None


def listed(items: list[bytes]) -> bytes:
    """JSON values as one array."""
    return b"[" + b",".join(items) + b"]"


def json_response(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="application/json", charset="utf-8")


def position_in(text: str) -> int:
    """The position that an address names. Raises HTTPBadRequest for what no run can have."""
    if not text.isascii() or not text.isdecimal() or len(text) > LONGEST_POSITION:
        raise web.HTTPBadRequest(reason=f"a position is a whole number of at most {LONGEST_POSITION} digits")
    return int(text)
