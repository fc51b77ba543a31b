"""Seed 000's JSON report."""

import io
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import structs
from tests.fakes import results

from vivavoce.model.result import CaseResult
from vivavoce.reporters.json_report import write_json
from vivavoce.results.rows import row_line


def report(listed: list[CaseResult], **info: Any) -> dict[str, Any]:
    out = io.StringIO()
    write_json(results.report_of(listed, **info), out)
    return json.loads(out.getvalue())


def test_it_has_the_parts_and_keys_of_the_seed():
    written = report([results.plain("T001"), results.wrong_argument()])
    assert list(written) == ["summary", "environment", "results", "metadata"]
    summary = written["summary"]
    assert (summary["total"], summary["passed"], summary["failed"], summary["skipped"]) == (2, 1, 1, 0)
    assert (summary["agent_id"], summary["connector"]) == ("assistants.expense", "deepseek.v3")
    assert (summary["runs_per_case"], summary["overall_pass_rate"]) == (1, 50.0)
    assert written["environment"]["user_id"] == "test-user"
    assert written["metadata"]["started_at"] == "2024-12-17T10:00:00Z"
    assert written["metadata"]["completed_at"] == "2024-12-17T10:00:12Z"
    assert written["metadata"]["version"] == "0.1.0"
    first = written["results"][0]
    assert (first["id"], first["status"], first["error"], first["expected"]) == ("T001", "passed", None, None)
    assert "type" not in first


def test_several_runs_are_the_stability_report_under_the_same_keys():
    written = report([results.flaky()], runs=10)
    summary = written["summary"]
    assert (summary["total_cases"], summary["total_runs"], summary["runs_per_case"]) == (1, 10, 10)
    assert (summary["overall_pass_rate"], summary["stable_cases"], summary["unstable_cases"]) == (0.0, 0, 1)
    case = written["results"][0]
    assert (case["runs"], case["pass_rate"], case["consistency"], case["stable"]) == (10, 80.0, 0.8, False)
    assert [run["run"] for run in case["run_details"]] == list(range(1, 11))


@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")
@pytest.mark.parametrize(
    ("listed", "code"),
    [
        ([results.flaky(), results.plain()], 0),
        ([results.flaky(), results.plain(), results.skipped()], 0),
        ([results.flaky(), results.wrong_argument()], 1),
    ],
)
def test_the_jq_recipe_of_the_seed_works(listed: list[CaseResult], code: int):
    done = subprocess.run(
        ["jq", "-e", ".results | all(.pass_rate >= 80)"],
        input=json.dumps(report(listed)),
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == code


def test_an_empty_run_is_still_json():
    assert report([])["results"] == []


def test_results_are_written_one_by_one():
    class Counting(io.StringIO):
        def __init__(self) -> None:
            super().__init__()
            self.alive = 0

    def forever(limit: int) -> Iterator[bytes]:
        for number in range(limit):
            before = out.tell()
            yield row_line(results.plain(f"T{number}"))
            assert out.tell() > before

    out = Counting()
    whole = results.report_of([])
    write_json(structs.replace(whole, rows=lambda: forever(5)), out)
    assert len(json.loads(out.getvalue())["results"]) == 5


def test_what_an_agent_printed_cannot_break_the_json(golden: Callable[[str, str], None]):
    odd = results.hostile()
    odd = structs.replace(odd, case=structs.replace(odd.case, name="\ud800"))
    assert report([odd])["results"][0]["name"] == "\\ud800"
