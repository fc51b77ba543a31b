"""The conformance groups about output files and exit codes."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import default_output
from vivavoce.errors import UsageError, VivaError, exit_code_of
from vivavoce.model.result import Summary
from vivavoce.protocols import Source
from vivavoce.reporters.formats import format_of
from vivavoce.sources.reading.inline import MessageSource
from vivavoce.sources.reading.jsonl import JsonlSource

CHECKS = json.loads((Path(__file__).parent / "checks.json").read_text(encoding="utf-8"))["checks"]
ERRORS = {
    "context file unreadable": UsageError("cannot read it"),
    "assistant runtime crashed before any case": VivaError("it crashed"),
}


def group(name: str) -> list[Any]:
    return [pytest.param(check, id=check["id"]) for check in CHECKS if check["group"] == name]


@pytest.mark.parametrize("check", group("output.format"))
def test_output_format(check: dict[str, Any]):
    assert format_of(check["path"]) == check["format"]


@pytest.mark.parametrize("check", group("output.path"))
def test_output_path(check: dict[str, Any], tmp_path: Path):
    now = datetime.fromisoformat(check.get("now", "2025-01-01T00:00:00"))
    if check.get("mode") == "message":
        sources: list[Source] = [MessageSource(check["input"])]
    else:
        file = tmp_path / check["input"].lstrip("/")
        write_files(tmp_path, {check["input"].lstrip("/"): "{}"})
        sources = [JsonlSource(file, str(file))]
    wanted = RunRequest(outputs=check.get("o") or ()).files
    default = default_output(sources, now)
    assert (wanted or ([] if default is None else [f"/{default.relative_to(tmp_path)}"])) == (
        [check["path"]] if check["path"] else []
    )


@pytest.mark.parametrize("check", group("exit_code"))
def test_exit_code(check: dict[str, Any]):
    if "event" in check:
        assert ERRORS[check["event"]].exit_code == check["exit_code"]
    else:
        assert exit_code_of(Summary(**check["summary"])) == check["exit_code"]


@pytest.mark.parametrize(
    ("summary", "code"),
    [
        (Summary(total=2, passed=1, skipped=1), 0),
        (Summary(total=2, passed=1, errors=1), 1),
        (Summary(total=2, passed=1, not_run=1), 1),
        (Summary(total=2, passed=1, not_run=1, interrupted="ctrl-c"), 130),
    ],
)
def test_exit_codes_of_spec_1(summary: Summary, code: int):
    assert exit_code_of(summary) == code
