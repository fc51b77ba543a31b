"""What the pages about cases ask for: cases × runs, one case over all its runs, its row in one of them."""

import sqlite3
from collections.abc import Sequence
from itertools import groupby

from aiohttp import web

from vivavoce.insight.case_story import ReplyGroup, TurningPoint, reply_groups, turning_points
from vivavoce.insight.flakiness import FlakyCase, flaky_cases
from vivavoce.model.json_value import JsonObject
from vivavoce.results.encoding import encoded
from vivavoce.results.history.case_grid import FactRun, agents_known, case_grid, latest_runs
from vivavoce.results.history.facts import CaseFacts
from vivavoce.results.row_parts import parts_in
from vivavoce.results.stored_runs import RunData
from vivavoce.statistics.percentiles import percentile
from vivavoce.statistics.proportions import wilson_interval
from vivavoce.viewer.answers import Answers, asked, json_response, position_in

MOST_RUNS = 60
"""Runs in one answer; older ones are asked for on their own."""


class CaseAnswers:
    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._library = answers.library

    async def grid(self, request: web.Request) -> web.Response:
        """The cases of the newest runs; `skip` leaves so many runs out, `agent` all cases of other agents."""
        skip, agent = position_in(request.query.get("skip", "0")), request.query.get("agent") or None
        found = await asked(lambda: self._library.history.ask(lambda store: _grid(store, skip, agent)))
        return json_response(encoded(found or {"agents": [], "runs": [], "cases": [], "older": False}))

    async def story(self, request: web.Request) -> web.Response:
        """One case of one agent over time; without an agent, of the one that was examined last."""
        key, agent = request.query.get("key", ""), request.query.get("agent") or None
        return json_response(encoded(await asked(self._story, key, agent)))

    def _story(self, key: str, agent: str | None) -> JsonObject:
        facts = [one for one in self._library.history.facts(key) if one.key == key]
        by_agent = {name: list(found) for name, found in groupby(facts, key=lambda one: one.agent)}
        if not by_agent:
            raise web.HTTPNotFound(reason="no result of this case is remembered")
        newest = max(by_agent, key=lambda name: by_agent[name][-1].started_ms)
        chosen = agent if agent in by_agent else newest
        kept = {run.info.run_id for run in self._library.history.runs()}
        return {"agents": sorted(by_agent), **_story_of(by_agent[chosen], kept)}

    async def row(self, request: web.Request) -> web.Response:
        """The case's line of one run."""
        run = await self._answers.run_of(request.query.get("run", ""))
        found = await asked(_row_with, run, request.query.get("key", ""), request.query.get("agent", ""))
        if found is None:
            raise web.HTTPNotFound(reason="the run has no such case")
        return json_response(found)


def _grid(store: sqlite3.Connection, skip: int, agent: str | None) -> JsonObject:
    runs = latest_runs(store, MOST_RUNS + 1, skip, agent)
    shown = runs[:MOST_RUNS][::-1]
    return {
        "agents": list(agents_known(store)),
        "runs": [_run_data(run) for run in shown],
        "cases": [
            {
                "key": one.key,
                "id": one.id,
                "agent": one.agent,
                "cells": one.cells,
                "attempts": one.attempts,
                "passed": one.passed,
                "ms": one.typical_ms,
            }
            for one in case_grid(store, shown, agent)
        ],
        "older": len(runs) > MOST_RUNS,
    }


def _run_data(run: FactRun) -> JsonObject:
    return {
        "id": run.id,
        "started": run.started,
        "title": run.title,
        "revision": run.revision,
        "branch": run.branch,
        "dirty": run.dirty,
        "kept": run.is_kept,
    }


def _story_of(facts: Sequence[CaseFacts], kept: set[str]) -> JsonObject:
    passed, runs = sum(one.passed for one in facts), sum(one.runs for one in facts)
    low, high = wilson_interval(passed, runs)
    durations = sorted(attempt.duration_ms for one in facts for attempt in one.attempts if not attempt.replayed)
    flaky = next(iter(flaky_cases(facts)), None)
    return {
        "key": facts[-1].key,
        "id": facts[-1].case_id,
        "agent": facts[-1].agent,
        "passed": passed,
        "runs": runs,
        "interval": [100 * low, 100 * high],
        "p50_ms": percentile(durations, 50),
        "p95_ms": percentile(durations, 95),
        "results": [_result_data(one, kept) for one in facts],
        "changes": [_change_data(point) for point in turning_points(facts)],
        "replies": [_reply_data(group, kept) for group in reply_groups(facts)],
        "flaky": None if flaky is None else _flaky_data(flaky),
    }


def _result_data(one: CaseFacts, kept: set[str]) -> JsonObject:
    tokens = [attempt.tokens for attempt in one.attempts if attempt.tokens is not None]
    costs = [attempt.cost for attempt in one.attempts if attempt.cost is not None]
    times = sorted(attempt.duration_ms for attempt in one.attempts)
    return {
        "run": one.run_id,
        "kept": one.run_id in kept,
        "started": one.started_ms,
        "status": one.status.value,
        "passed": one.passed,
        "runs": one.runs,
        "ms": percentile(times, 50),
        "replayed": any(attempt.replayed for attempt in one.attempts),
        "tokens": sum(tokens) / len(tokens) if tokens else None,
        "cost": sum(costs) / len(costs) if costs else None,
        "faults": sorted({attempt.fault for attempt in one.attempts if attempt.fault}),
        "revision": one.revision,
        "branch": one.branch,
        "dirty": one.dirty,
        "title": one.title,
        "reply": one.reply_digest,
    }


def _change_data(point: TurningPoint) -> JsonObject:
    return {
        "before": {"status": point.before.status.value, "revision": point.before.revision, "run": point.before.run_id},
        "after": {"status": point.after.status.value, "revision": point.after.revision, "run": point.after.run_id},
        "started": point.after.started_ms,
        "changed": list(point.changed),
        "known": point.known,
    }


def _reply_data(group: ReplyGroup, kept: set[str]) -> JsonObject:
    seen_in = next((one.run_id for one in (group.last, group.first) if one.run_id in kept), None)
    return {
        "digest": group.digest,
        "times": group.times,
        "passed": group.passed,
        "first": group.first.started_ms,
        "last": group.last.started_ms,
        "run": seen_in,
    }


def _flaky_data(flaky: FlakyCase) -> JsonObject:
    return {
        "flips": flaky.flips,
        "passed": flaky.passed,
        "runs": flaky.runs,
        "since": flaky.since_ms,
        "revision": flaky.since_revision,
        "blamed": dict(flaky.blamed),
        "source_known": flaky.source_known,
    }


def _row_with(run: RunData, key: str, agent: str) -> bytes | None:
    """The line of a case; where several agents had it, that of this agent if it says so."""
    file, _, case_id = key.rpartition("::")
    needle, found = encoded({"id": case_id})[1:-1], None
    for row in run.rows():
        if needle in row and (seen := parts_in(row)).id == case_id and seen.file == file:
            if not agent or seen.case.agent in (None, agent):
                return row
            found = found or row
    return found
