"""Candidate cases that run one after the other: how often they fail, and when no more may be tried."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from vivavoce.app.candidates import CandidateLimits, Candidates, Counted
from vivavoce.app.opening import open_project
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.engine import spending
from vivavoce.insight.shrinking.failure import failures_of
from vivavoce.insight.shrinking.shrink import EnoughTried

NEVER = {"type": "not_contains", "value": "refuse"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("{}\n")
    Path("cases.jsonl").write_text(json.dumps({"id": "T1", "input": "hi", "assert": NEVER, "skip": "later"}) + "\n")


def says(*answers: str) -> Callable[[str], Any]:
    """An agent with these answers, the last one again and again."""
    rest = list(answers)
    return lambda text: {
        "content": rest.pop(0) if len(rest) > 1 else rest[0],
        "usage": {"input_tokens": 5, "output_tokens": 5},
    }


async def tried(agent: Callable[[str], Any], how_often: int = 1, **options: Any) -> tuple[list[Any], Candidates]:
    """What `count` returned, or what it raised, each time."""
    limits = {key: options.pop(key) for key in ("runs", "min_fail", "most", "time_limit_s") if key in options}
    given = {"inputs": ("cases.jsonl",), "agent": agent, **options}
    request = RunRequest.of(given, {}).with_defaults(open_project(None).config.run)
    async with planned(request) as ready:
        [case] = ready.plan.cases()
    came: list[Any] = []
    async with Candidates(request, open_project(None), case, CandidateLimits(**limits)) as candidates:
        for _ in range(how_often):
            try:
                came.append(await candidates.count(case))
            except EnoughTried as enough:
                came.append(str(enough))
    return came, candidates


def failed(came: list[Any]) -> list[Any]:
    return [one.failed if isinstance(one, Counted) else one for one in came]


async def test_a_candidate_runs_so_often_and_is_counted_though_its_case_is_skipped():
    [seen], candidates = await tried(says("I refuse", "fine", "I refuse"), runs=3, min_fail=3)
    assert isinstance(seen, Counted)
    assert (seen.failed, candidates.tried) == (1, 1)
    [seen], _ = await tried(says("I refuse", "fine", "I refuse"), runs=3, min_fail=1)
    assert seen.words in ("1 of 1 run", "2 of 3 runs")


async def test_only_the_failure_that_is_asked_for_counts():
    [seen], _ = await tried(says("I refuse"))
    [failure] = failures_of(seen.attempts[0])
    other = structs.replace(failure, what="another check")
    request = RunRequest.of({"inputs": ("cases.jsonl",), "agent": says("I refuse")}, {})
    request = request.with_defaults(open_project(None).config.run)
    async with planned(request) as ready:
        [case] = ready.plan.cases()
    async with Candidates(request, open_project(None), case, CandidateLimits()) as candidates:
        assert (await candidates.count(case, failure)).failed == 1
        assert (await candidates.count(case, other)).failed == 0
        assert await candidates.fails(case, other) is None
        assert (await candidates.fails(case, failure) or Counted(0, ())).failed == 1


SPENT = "budget: 10 tokens spent of 10 tokens (--budget)"
NO_PRICE = f"{spending.NO_PRICE} (--budget)"


@pytest.mark.parametrize(
    ("limits", "came", "stopped_by"),
    [
        ({}, [0, 0, 0], None),
        ({"most": 2}, [0, 0, "2 conversations were tried (--candidates)"], "2 conversations were tried (--candidates)"),
        ({"time_limit_s": 0.0}, ["the time is up (--time-limit)"] * 3, "the time is up (--time-limit)"),
        ({"budget": "10tok"}, [0, *[SPENT] * 2], SPENT),
        ({"budget": "10usd"}, [0, *[NO_PRICE] * 2], NO_PRICE),
    ],
    ids=["nothing", "number", "time", "budget", "price"],
)
async def test_what_is_used_up_ends_the_search_and_is_said(
    limits: dict[str, Any], came: list[Any], stopped_by: str | None
):
    seen, candidates = await tried(says("fine"), 3, **limits)
    assert (failed(seen), candidates.stopped_by) == (came, stopped_by)
    assert candidates.tried == came.count(0)


async def test_nothing_of_them_is_kept_or_written():
    await tried(says("I refuse"), outputs=("out.jsonl",), history=True)
    assert not Path("out.jsonl").exists()
    assert not Path(".viva", "history.db").exists()


async def test_the_smallest_one_is_counted_to_the_end():
    given = {"inputs": ("cases.jsonl",), "agent": says("fine", "I refuse", "fine", "I refuse")}
    request = RunRequest.of(given, {}).with_defaults(open_project(None).config.run)
    async with planned(request) as ready:
        [case] = ready.plan.cases()
    async with Candidates(request, open_project(None), case, CandidateLimits(runs=4)) as candidates:
        seen = await candidates.count(case)
        assert seen.words == "1 of 2 runs"
        [failure] = failures_of(seen.attempts[-1])
        assert (await candidates.counted_on(case, failure, seen)).words == "2 of 4 runs"
    assert (candidates.tried, candidates.stopped_by) == (1, None)
