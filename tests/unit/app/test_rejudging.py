"""Recorded runs judged by the case files as they read now."""

import asyncio
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.rejudging import rejudge
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError
from vivavoce.model.result import Status

CASES: list[dict[str, Any]] = [
    {"id": "T1", "input": "pay", "assert": {"type": "contains", "value": "pay"}},
    {"id": "T2", "input": "ship", "assert": {"type": "contains", "value": "ship"}},
    {"id": "T3", "input": "flaky", "runs": 2, "assert": {"type": "contains", "value": "flaky"}},
]


def write(cases: list[dict[str, Any]]) -> None:
    Path("cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A recorded run of three cases, out.jsonl, and every line that the agent was told."""
    monkeypatch.chdir(tmp_path)
    heard: list[str] = []

    def agent(text: str) -> str:
        heard.append(text)
        return f"You said {text}"

    write(CASES)
    assert vivavoce.run("cases.jsonl", agent=agent, outputs="out.jsonl", history=False).passed
    heard.clear()
    return heard


def statuses(*runs: str, **more: Any) -> dict[str, str]:
    return {result.case.id: result.status.value for result in vivavoce.rejudge(*runs, **more).results}


def edited(number: int, **fields: Any) -> None:
    write([{**case, **(fields if at == number else {})} for at, case in enumerate(CASES)])


def test_nothing_changed_and_nobody_is_called(calls):
    report = vivavoce.rejudge("out.jsonl")
    assert report.passed
    assert [len(result.attempts) for result in report.results] == [1, 1, 2]
    assert calls == []


def test_an_edited_check_decides_anew(calls):
    edited(1, **{"assert": {"type": "contains", "value": "sunk"}})
    assert statuses("out.jsonl") == {"T1": "passed", "T2": "failed", "T3": "passed"}
    assert calls == []


def test_a_case_whose_line_changed_is_stale_and_never_green(calls):
    edited(0, input="refund")
    report = vivavoce.rejudge("out.jsonl")
    assert report.results[0].status is Status.NOT_RUN
    assert report.results[0].decisive.error == "stale: its input reads differently"
    assert (report.passed, vivavoce.rejudge("out.jsonl", allow_stale=True).passed) == (False, True)


def test_one_case_of_a_run_and_cases_elsewhere(calls, tmp_path):
    assert statuses("out.jsonl::T2") == {"T2": "passed"}
    (tmp_path / "moved").mkdir()
    Path("cases.jsonl").rename("moved/cases.jsonl")
    assert statuses("out.jsonl", cases="moved") == {"T1": "passed", "T2": "passed", "T3": "passed"}
    with pytest.raises(UsageError, match=r"cases\.jsonl is not here any more"):
        statuses("out.jsonl")


def test_two_runs_of_a_case_are_its_repeats(calls):
    report = vivavoce.rejudge("out.jsonl", "out.jsonl")
    assert [len(result.attempts) for result in report.results] == [2, 2, 4]


def test_what_broke_outside_of_judging_stays_broken(calls):
    line = json.loads(Path("out.jsonl").read_text().splitlines()[1])
    rest = [one for one in Path("out.jsonl").read_text().splitlines() if json.loads(one).get("id") != line["id"]]
    line |= {"status": "error", "error": "the tape has no such call", "fault": "target"}
    Path("out.jsonl").write_text("\n".join([rest[0], json.dumps(line), *rest[1:]]) + "\n")
    assert statuses("out.jsonl")[line["id"]] == "error"


def test_a_message_has_no_file_and_is_judged_as_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vivavoce.run("Where is it?", agent=lambda text: "here", outputs="out.jsonl", history=False)
    assert list(statuses("out.jsonl").values()) == ["passed"]


@pytest.mark.memory
def test_results_that_nobody_writes_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    check = {"type": "contains", "value": "a"}
    Path("cases.jsonl").write_text(
        "".join(json.dumps({"id": f"T{n}", "input": "hi", "assert": check}) + "\n" for n in range(150))
    )
    vivavoce.run("cases.jsonl", agent=lambda text: "a" * 200_000, outputs="out.jsonl", history=False)
    request = RunRequest.of({"history": False})
    asyncio.run(rejudge(("out.jsonl",), request))  # loads modules
    tracemalloc.start()
    try:
        judged = asyncio.run(rejudge(("out.jsonl",), request))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert judged.outcome.summary.passed == 150
    assert peak < 30_000_000, "150 answers of 200 kB are 30 MB, kept ones three times that"
