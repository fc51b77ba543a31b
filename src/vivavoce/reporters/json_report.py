"""Seed 000's JSON report, written result by result: it never sits in memory whole."""

from typing import TextIO

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import RunInfo, RunReport, Status, Summary
from vivavoce.results.contest.contest import Contest
from vivavoce.results.encoding import encoded
from vivavoce.results.rows import overall_pass_rate


def write_json(report: RunReport, out: TextIO) -> None:
    """`summary`, `environment`, `results` (one a line), `metadata`; of a comparison also `contest`."""
    out.write(f'{{"summary": {_text(summary_part(report.info, report.summary))},\n')
    out.write(f' "environment": {_text(msgspec.to_builtins(report.info.identity))},\n "results": [')
    separator = "\n  "
    for row in report.rows():
        out.write(separator + _text(result_part(row)))
        separator = ",\n  "
    contest = "" if not report.info.contenders else f',\n "contest": {_text(_contest(report))}'
    out.write(f'\n ]{contest},\n "metadata": {_text(metadata_part(report.info, report.summary))}}}\n')


def _contest(report: RunReport) -> JsonObject:
    """Standings, differences and matrix of `viva compare`; `position` is the place in `results`, from 0."""
    return Contest.in_rows(report.info, report.rows()).as_data()


def summary_part(info: RunInfo, summary: Summary) -> JsonObject:
    """The keys of seed 000's report and of its stability report together."""
    return {
        "total": summary.total,
        "passed": summary.passed,
        "failed": summary.failed,
        "errors": summary.errors,
        "timeouts": summary.timeouts,
        "skipped": summary.skipped,
        "not_run": summary.not_run,
        "duration_ms": summary.duration_ms,
        "agent_id": info.agent_id,
        "connector": info.connector,
        "runs_per_case": info.runs_per_case,
        "overall_pass_rate": overall_pass_rate(summary),
        "total_cases": summary.total,
        "total_runs": summary.total_runs,
        "stable_cases": summary.stable_cases,
        "unstable_cases": summary.unstable_cases,
        "total_turns": summary.total_turns,
        "faults": summary.faults,
        "usage": msgspec.to_builtins(summary.usage),
        "interrupted": summary.interrupted,
        "warnings": summary.warnings,
        "quarantined": summary.quarantined,
        "unchecked": summary.unchecked,
    }


def result_part(line: bytes) -> JsonObject:
    """A result file's row, with the keys that seed 000 always prints, also those that are empty."""
    row: JsonObject = msgspec.json.decode(line)
    del row["type"]
    # A skipped case has no rate. jq does not take a word for less than a number: seed 000's recipe
    # `all(.pass_rate >= 80)` is about the cases that were judged.
    rate = {Status.PASSED.value: 100.0, Status.SKIPPED.value: "skipped", Status.NOT_RUN.value: "skipped"}.get(
        row["status"], 0.0
    )
    return {"input": None, "output": None, "expected": None, "error": None, "pass_rate": rate} | row


def metadata_part(info: RunInfo, summary: Summary) -> JsonObject:
    return {
        "started_at": info.started_at,
        "completed_at": summary.completed_at,
        "version": info.version,
        "run_id": info.run_id,
        "inputs": info.inputs,
        "command": info.command,
        "title": info.title,
        "revision": info.revision,
        "branch": info.branch,
        "dirty": info.dirty,
        "models": info.models,
    }


def _text(value: JsonObject) -> str:
    return encoded(value).decode()
