"""Recorded failures, repeated with less and less said."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.candidates import CandidateLimits
from vivavoce.app.request import RunRequest
from vivavoce.app.shrinking import Shrinking, Step, shrink_recorded
from vivavoce.app.shrunk_file import write_shrunk
from vivavoce.errors import UsageError
from vivavoce.model.message import text_of_content

NEVER = {"type": "not_contains", "value": "refuse"}


class Agent:
    """Refuses the last line once it was told every word of the cause; `moods` says when it is in the mood to."""

    def __init__(self, *cause: str, moods: Callable[[int], bool] = lambda call: True) -> None:
        self.cause = cause
        self.moods = moods
        self.conversations = 0
        self.calls = 0

    def __call__(self, messages: list[dict[str, Any]]) -> str:
        self.calls += 1
        said = " ".join(message["content"] for message in messages if message["role"] == "user")
        if self.cause[-1] not in messages[-1]["content"] or not all(word in said for word in self.cause):
            return "fine"
        self.conversations += 1
        return "I refuse." if self.moods(self.conversations) else "fine"


def thirty_turns() -> list[str]:
    lines = [f"Small talk {number}." for number in range(30)]
    lines[4], lines[17], lines[25] = "alpha", "beta", "gamma"
    return lines


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def recorded(lines: list[str], agent: Agent, runs: int = 1, **more: Any) -> None:
    turns = [{"input": line, "assertions": [NEVER]} for line in lines]
    case = {"id": "T1", "turns": turns, "max_turns": 50, "runs": runs, **more}
    Path("cases.jsonl").write_text(json.dumps(case) + "\n")
    report = await vivavoce.arun("cases.jsonl", agent=agent, outputs="out.jsonl", history=False)
    assert not report.passed


async def shrunk(agent: Any, on_step: Callable[[Step], None] = lambda step: None, **limits: Any) -> Shrinking:
    given = {"agent": agent, **({"runs": limits["runs"]} if "runs" in limits else {})}
    return await shrink_recorded("out.jsonl::T1", RunRequest.of(given, {}), CandidateLimits(**limits), on_step)


def said(found: Shrinking) -> list[str]:
    assert found.smallest is not None
    return [text_of_content(turn.content) for turn in found.smallest.turns]


async def test_three_decisive_turns_of_thirty_within_forty_conversations():
    agent = Agent("alpha", "beta", "gamma")
    await recorded(thirty_turns(), agent)
    agent.calls = 0
    found = await shrunk(agent)
    assert said(found) == ["alpha", "beta", "gamma"]
    assert (found.tried <= 40, agent.calls <= 400) == (True, True)


@pytest.mark.parametrize("places", [(0, 1, 2), (0, 14, 29), (27, 28, 29), (9, 10, 28)])
async def test_the_promise_holds_wherever_the_cause_is(places: tuple[int, int, int]):
    lines = [f"Small talk {number}." for number in range(30)]
    for place, word in zip(places, ("alpha", "beta", "gamma"), strict=True):
        lines[place] = word
    agent = Agent("alpha", "beta", "gamma")
    await recorded(lines, agent)
    agent.calls = 0
    found = await shrunk(agent)
    assert said(found) == ["alpha", "beta", "gamma"]
    assert (found.tried <= 40, agent.calls <= 400) == (True, True)


async def test_a_flaky_failure_shrinks_too():
    moods = {3, 6, 9}
    agent = Agent("alpha", "beta", "gamma", moods=lambda call: call % 10 not in moods)
    await recorded(thirty_turns(), agent)
    found = await shrunk(agent, runs=3, min_fail=1)
    assert said(found) == ["alpha", "beta", "gamma"]


async def test_failing_seven_times_of_ten_takes_at_most_runs_times_as_many_calls():
    dice = random.Random(7)
    agent = Agent("alpha", "beta", "gamma", moods=lambda call: call == 1 or dice.random() < 0.7)
    await recorded(thirty_turns(), agent)
    agent.calls = 0
    found = await shrunk(agent, runs=5, min_fail=1)
    assert said(found) == ["alpha", "beta", "gamma"]
    assert (found.tried <= 40, agent.calls <= 5 * 400) == (True, True)


async def test_a_case_that_fails_only_sometimes_says_how_often_and_is_written_with_runs():
    agent = Agent("alpha", "beta", moods=lambda call: call % 2 == 1)
    await recorded(["alpha", "hm", "beta"], agent)
    found = await shrunk(agent, runs=6, min_fail=1)
    assert found.counted is not None
    assert found.counted.words == "3 of 6 runs"
    _, saved = write_shrunk(found, "out.jsonl::T1", "small.jsonl")
    assert saved.runs == 6


@pytest.mark.parametrize("seed", range(6))
async def test_no_case_comes_back_that_did_not_fail(seed: int):
    """With an agent whose mood, and whose cause, are drawn by chance."""
    dice = random.Random(seed)
    lines = [f"line {number}" for number in range(8)]
    cause = sorted(dice.sample(range(8), dice.randint(1, 3)))
    chance = dice.choice([0.3, 0.6, 1.0])
    agent = Agent(*(lines[at] for at in cause), moods=lambda call: call == 1 or dice.random() < chance)
    await recorded(lines, agent)
    steps: list[Step] = []
    found = await shrunk(agent, steps.append, runs=3, min_fail=2)
    if found.smallest is None:
        return
    assert found.counted is not None
    assert found.counted.failed >= 2
    assert found.smallest in [step.case for step in steps if step.counted is not None]
    assert set(said(found)) >= {lines[at] for at in cause} or all(
        any(word in line for line in said(found)) for word in agent.cause
    )


async def test_a_case_that_failed_only_sometimes_is_repeated_without_being_asked_to():
    agent = Agent("alpha", "beta", moods=lambda call: call % 2 == 0)
    await recorded(["alpha", "hm", "beta"], agent, runs=4)
    found = await shrunk(agent)
    assert said(found) == ["alpha", "beta"]
    assert found.counted is not None
    assert len(found.counted.attempts) > 1


async def test_what_does_not_fail_again_is_told_and_no_case_comes_of_it():
    await recorded(["alpha", "beta"], Agent("alpha", "beta"))
    found = await shrunk(Agent("never said"))
    assert (found.smallest, found.now) == (None, "it passes now")


async def test_what_fails_in_another_way_is_not_the_same_failure():
    await recorded(["alpha", "beta"], Agent("alpha", "beta"))

    def crashes(text: str) -> str:
        raise KeyError(text)

    found = await shrunk(crashes)
    assert found.smallest is None
    assert "another way" in found.now


async def test_the_number_of_candidates_holds_and_the_best_so_far_fails():
    agent = Agent("alpha", "beta", "gamma")
    await recorded(thirty_turns(), agent)
    found = await shrunk(agent, most=9)
    assert found.tried == 9
    assert "9 conversations" in (found.stopped_by or "")
    assert {"alpha", "beta", "gamma"} <= set(said(found))
    assert len(said(found)) < 30
    assert (await shrunk(agent, time_limit_s=0.0)).now == "the time is up (--time-limit)"


async def test_the_file_says_how_often_it_failed_and_fails_again():
    agent = Agent("alpha", "beta")
    await recorded(["alpha", "hm", "beta"], agent)
    path, saved = write_shrunk(await shrunk(agent), "out.jsonl::T1", None)
    text = path.read_text()
    assert (path.name, saved.id) == ("T1-shrunk.jsonl", "T1-shrunk")
    assert "// It failed in 1 of 1 run:" in text
    report = await vivavoce.arun(str(path), agent=agent, history=False)
    assert [result.status.value for result in report.results] == ["failed"]


async def test_checks_that_have_nothing_to_do_with_it_do_not_get_in_the_way():
    """A check of a turn in between ends the conversation when a turn before it is left out."""
    turns = [
        {"input": "alpha"},
        {"input": "hm", "assertions": [{"type": "contains", "value": "fine"}]},
        {"input": "beta", "assertions": [NEVER]},
    ]
    agent = Agent("alpha", "beta")
    await recorded([], agent, turns=turns)
    assert said(await shrunk(agent)) == ["alpha", "beta"]


async def test_a_run_with_several_failures_must_say_which():
    Path("cases.jsonl").write_text(
        "".join(json.dumps({"id": name, "input": "x", "assert": NEVER}) + "\n" for name in ("A", "B"))
    )
    await vivavoce.arun("cases.jsonl", agent=lambda text: "I refuse", outputs="out.jsonl", history=False)
    with pytest.raises(UsageError, match=r"2 cases failed in it: A, B \(name one: out.jsonl::A\)"):
        await shrink_recorded("out.jsonl", RunRequest.of({}, {}), CandidateLimits())
    await vivavoce.arun("cases.jsonl", agent=lambda text: "ok", outputs="green.jsonl", history=False)
    with pytest.raises(UsageError, match="nothing to shrink"):
        await shrink_recorded("green.jsonl", RunRequest.of({}, {}), CandidateLimits())


@pytest.mark.parametrize("other", [[], [NEVER]], ids=["alone", "beside another failure"])
async def test_a_snapshot_is_never_what_a_shorter_conversation_fails_by(
    other: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("CI", raising=False)
    case = {"id": "T1", "turns": [{"input": "hello"}, {"input": "x alpha"}]}
    Path("cases.jsonl").write_text(json.dumps({**case, "final_assertions": [{"type": "snapshot"}, *other]}) + "\n")
    await vivavoce.arun("cases.jsonl", agent=lambda text: "as approved", history=False)
    agent = Agent("alpha")
    await vivavoce.arun("cases.jsonl", agent=agent, outputs="out.jsonl", history=False)
    if not other:
        with pytest.raises(UsageError, match="only a snapshot differs"):
            await shrunk(agent)
        return
    found = await shrunk(agent)
    assert found.smallest is not None
    assert (said(found), [check.type for check in found.smallest.final_assertions]) == (["alpha"], [NEVER["type"]])
