"""What the server answers about cases over time."""

from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.fakes.kept_runs import begun, changed, keep_run
from tests.fakes.results import plain

from vivavoce.model.result import Status
from vivavoce.viewer.case_answers import MOST_RUNS

KEY = "tests/expense.jsonl::a"


async def answer_of(address: str, path: str, status: int = 200, **query: str) -> Any:
    async with aiohttp.ClientSession() as client, client.get(f"{address}api/{path}", params=query) as response:
        assert response.status == status, await response.text()
        return await response.json() if status == 200 else await response.text()


def two_runs(store: Path) -> None:
    keep_run(store, "one", [changed(plain("a"), says="Sure."), plain("b")], started_at="2024-12-17T10:00:00Z")
    worse = changed(plain("a"), says="Never.", status=Status.FAILED, ms=4000)
    keep_run(store, "two", [begun(worse, 60)], started_at="2024-12-17T10:01:00Z", revision="c0ffee12", title="try")


async def test_the_grid_has_cases_and_runs(store: Path, address: str):
    two_runs(store)
    grid = await answer_of(address, "cases")
    assert [run["id"] for run in grid["runs"]] == ["one", "two"]
    assert [(case["id"], case["cells"]) for case in grid["cases"]] == [("a", "PF"), ("b", "P.")]
    assert grid["older"] is False
    assert (await answer_of(address, "cases", skip="1"))["runs"][0]["id"] == "one"


async def test_without_a_history_there_are_no_cases(address: str):
    assert (await answer_of(address, "cases"))["cases"] == []


async def test_more_runs_than_are_shown_are_told(store: Path, address: str):
    for number in range(MOST_RUNS + 1):
        keep_run(store, f"run-{number}", [begun(plain("a"), number)], started_at=f"2024-12-17T10:{number:02}:00Z"[:20])
    grid = await answer_of(address, "cases")
    assert len(grid["runs"]) == MOST_RUNS
    assert grid["older"] is True


async def test_the_story_of_a_case(store: Path, address: str):
    two_runs(store)
    story = await answer_of(address, "case", key=KEY)
    assert (story["id"], story["passed"], story["runs"]) == ("a", 1, 2)
    assert [one["status"] for one in story["results"]] == ["passed", "failed"]
    (change,) = story["changes"]
    assert change["after"] == {"status": "failed", "revision": "c0ffee12", "run": "two"}
    assert [reply["times"] for reply in story["replies"]] == [1, 1]
    assert story["flaky"] is None


async def test_a_case_that_several_agents_had_is_told_apart(store: Path, address: str):
    two_runs(store)
    keep_run(store, "bank", [begun(plain("a"), 9)], started_at="2024-12-17T10:00:09Z", agent_id="bank")
    story = await answer_of(address, "case", key=KEY, agent="bank")
    assert story["agents"] == ["assistants.expense", "bank"]
    assert len(story["results"]) == 1
    assert len((await answer_of(address, "case", key=KEY))["results"]) == 2, "the agent examined last"


async def test_the_row_of_a_case_in_a_run(store: Path, address: str):
    two_runs(store)
    row = await answer_of(address, "case/row", run="two", key=KEY)
    assert (row["id"], row["response"]) == ("a", "Never.")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("case", {"key": "tests/expense.jsonl::nobody"}),
        ("case", {"key": ""}),
        ("case/row", {"run": "two", "key": "other.jsonl::a"}),
        ("case/row", {"run": "nothing", "key": KEY}),
    ],
)
async def test_what_is_not_there_is_not_found(store: Path, address: str, path: str, query: dict[str, str]):
    two_runs(store)
    await answer_of(address, path, 404, **query)
