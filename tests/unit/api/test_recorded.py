"""`vivavoce.coverage`, `mutate` and `shrink`: the commands of the same names, from Python."""

import json
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.model.coverage import State

CASES: list[dict[str, Any]] = [
    {"id": "pays", "input": "pay 5", "assert": {"type": "tool_called", "value": "pay"}},
    {"id": "talks", "turns": [{"input": line} for line in ("Hello.", "A coupon.", "Nice.", "A refund, please.")]},
]


def clerk(messages: list[dict[str, Any]]) -> dict[str, Any]:
    said = [message["content"] for message in messages if message["role"] == "user"]
    if "pay" in said[-1]:
        return {"content": "Paid 5 EUR.", "tool_calls": [{"name": "pay", "args": {"amount": 5}, "result": "ok"}]}
    return {"content": "900 EUR" if "coupon" in " ".join(said) and "refund" in said[-1] else "Fine.", "tool_calls": []}


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    CASES[1]["final_assertions"] = [{"type": "not_contains", "value": "900"}]
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    vivavoce.run("cases.jsonl", agent=clerk, outputs="out.jsonl", history=False)


def test_coverage_comes_back_item_by_item():
    found = vivavoce.coverage("out.jsonl")
    states = {str(item.element): item.state for item in found.items}
    assert (states["pay called"], states["pay failed"]) == (State.CHECKED, State.NEVER)
    assert found.exercised().part == 3


def test_mutants_come_back_with_the_checks_that_would_notice_them():
    score = vivavoce.mutate("out.jsonl::pays", seed=1)
    [case] = score.cases
    assert 0 < (score.counts.percent or 0) < 100
    assert {"type": "tool_result", "tool": "pay"} in [one.suggestion for one in case.survivors]


def test_a_failure_is_shrunk_with_a_live_agent_and_written():
    steps: list[Any] = []
    found = vivavoce.shrink("out.jsonl::talks", agent=clerk, output="small.jsonl", on_step=steps.append)
    assert found.smallest is not None
    assert [turn.content for turn in found.smallest.turns] == ["coupon.", "refund,"]
    assert len(steps) == found.tried
    assert not vivavoce.run("small.jsonl", agent=clerk, history=False).passed


def test_limits_are_keywords():
    found = vivavoce.shrink("out.jsonl::talks", agent=clerk, candidates=2)
    assert (found.tried, found.stopped_by is not None) == (2, True)
    with pytest.raises(vivavoce.UsageError, match="cannot fail 3 times in 2 runs"):
        vivavoce.shrink("out.jsonl::talks", agent=clerk, runs=2, min_fail=3)


def test_what_is_wrong_is_told_in_the_words_of_python():
    with pytest.raises(vivavoce.UsageError, match=r"no such run|nowhere"):
        vivavoce.mutate("nowhere.jsonl")
    with pytest.raises(vivavoce.UsageError, match="nothing to shrink"):
        vivavoce.shrink("out.jsonl::pays", agent=clerk)


async def test_inside_an_event_loop_the_async_twins_are_awaited():
    with pytest.raises(vivavoce.UsageError, match=r"await vivavoce\.amutate instead"):
        vivavoce.mutate("out.jsonl")
    assert (await vivavoce.amutate("out.jsonl::pays")).cases
    assert (await vivavoce.acoverage("out.jsonl")).items
    assert (await vivavoce.ashrink("out.jsonl::talks", agent=clerk)).smallest is not None
