"""What the list of runs asks for beyond the runs themselves: durations, and what changed since the run before."""

import sqlite3

from aiohttp import web

from vivavoce.model.json_value import JsonObject
from vivavoce.results.encoding import encoded
from vivavoce.results.history.case_grid import latest_runs
from vivavoce.results.history.run_numbers import RunNumbers, case_ids, numbers_of_runs
from vivavoce.viewer.answers import Answers, asked, json_response, position_in

RUNS_AT_ONCE = 60
_EARLIER = 10
"""Older runs that are read too, so that the oldest listed one can be compared."""


class RunAnswers:
    def __init__(self, answers: Answers) -> None:
        self._history = answers.library.history

    async def numbers(self, request: web.Request) -> web.Response:
        """The numbers of runs by their ids, newest runs first; `skip` leaves so many out."""
        skip = position_in(request.query.get("skip", "0"))
        found = await asked(lambda: self._history.ask(lambda store: _numbers(store, skip)))
        return json_response(encoded(found or {"numbers": {}, "older": False}))


def _numbers(store: sqlite3.Connection, skip: int) -> JsonObject:
    runs = latest_runs(store, RUNS_AT_ONCE + _EARLIER, skip)
    found = numbers_of_runs(store, runs[:RUNS_AT_ONCE], runs[RUNS_AT_ONCE:])
    names = case_ids(store, [no for numbers in found.values() for no in numbers.first_broken])
    return {
        "numbers": {run_id: _data(numbers, names) for run_id, numbers in found.items()},
        "older": len(runs) > RUNS_AT_ONCE,
    }


def _data(numbers: RunNumbers, names: dict[int, str]) -> JsonObject:
    return {
        "p50_ms": numbers.p50_ms,
        "p95_ms": numbers.p95_ms,
        "broken": numbers.broken,
        "mended": numbers.mended,
        "added": numbers.added,
        "first_broken": [names[no] for no in numbers.first_broken if no in names],
    }
