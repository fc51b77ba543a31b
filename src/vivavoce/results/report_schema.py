"""The published shapes of what viva writes: a line of a result file, and the JSON report."""

import msgspec

from vivavoce.model.json_value import JsonObject
from vivavoce.results.wire import ResultRow, Row

_COUNTS = ("total", "passed", "failed", "errors", "timeouts", "skipped", "not_run", "total_cases", "total_runs")
_MORE_COUNTS = ("runs_per_case", "stable_cases", "unstable_cases", "total_turns")
_ALWAYS = ("input", "output", "expected", "error", "pass_rate")
_ANYTHING: JsonObject = {}
_PASS_RATE: JsonObject = {"anyOf": [{"type": "number", "minimum": 0, "maximum": 100}, {"const": "skipped"}]}


def result_file_schema() -> JsonObject:
    """One line of a `.jsonl` result file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Row)}


def report_schema() -> JsonObject:
    """The `.json` report: seed 000's document, whose results are the rows of the result file."""
    definitions: JsonObject = msgspec.json.schema(ResultRow)["$defs"]
    row: JsonObject = definitions["ResultRow"]
    properties = {**row["properties"], **dict.fromkeys(_ALWAYS, _ANYTHING), "pass_rate": _PASS_RATE}
    del properties["type"]
    required = [name for name in row.get("required", []) if name != "type"]
    definitions["ResultRow"] = {**row, "properties": properties, "required": [*required, *_ALWAYS]}
    counts: JsonObject = {key: {"type": "integer", "minimum": 0} for key in (*_COUNTS, *_MORE_COUNTS)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "viva report",
        "type": "object",
        "required": ["summary", "environment", "results", "metadata"],
        "properties": {
            "summary": {
                "type": "object",
                "required": [*_COUNTS, "duration_ms", "agent_id", "overall_pass_rate"],
                "properties": {**counts, "duration_ms": {"type": "number"}, "agent_id": {"type": "string"}},
            },
            "environment": {"type": "object", "required": ["user_id", "team_id", "locale"]},
            "results": {"type": "array", "items": {"$ref": "#/$defs/ResultRow"}},
            "metadata": {"type": "object", "required": ["started_at", "completed_at", "version"]},
        },
        "$defs": definitions,
    }
