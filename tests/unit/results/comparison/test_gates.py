"""`--fail-on`: what holds, what does not, and what nobody can tell."""

from itertools import count
from pathlib import Path

import pytest
from tests.fakes.kept_runs import changed, keep_run
from tests.fakes.result_builders import attempt, bare_turn, call, case, result
from tests.fakes.results import plain

from vivavoce.errors import UsageError
from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.result import CaseResult, Status
from vivavoce.results.comparison.gates import Gate, objections, parse_gates
from vivavoce.results.comparison.run_comparison import compare_runs
from vivavoce.results.history.reading import History
from vivavoce.results.stored_runs import StoredRun


def one(text: str = "ok", *, tool: str = "lookup", tokens: int = 100, cost: float | None = None, **reply: object):
    usage = Usage(tokens, 0, cost) if tokens else None
    answered = AgentReply(text=text, calls=(call(tool, {"id": 1}),), usage=usage, **reply)
    return result(case("a", "hi"), attempt(bare_turn("hi", 1, answered)))


@pytest.fixture
def red(tmp_path: Path):
    numbers = count()

    def found(before: CaseResult, after: CaseResult, *gates: Gate, allow_missing: bool = False) -> list[str]:
        store = tmp_path / f"{next(numbers)}.db"
        keep_run(store, "before", [before])
        keep_run(store, "after", [after])
        history = History(store)
        compared = compare_runs(StoredRun(history, "before"), StoredRun(history, "after"))
        return objections(compared, gates, allow_missing=allow_missing)

    return found


def test_gates_are_read_from_words_with_commas():
    assert parse_gates(("tools, cost", "tools", "latency")) == [Gate.TOOLS, Gate.COST, Gate.LATENCY]
    with pytest.raises(UsageError, match=r"cannot fail on 'tool'.*regression, tools, cost"):
        parse_gates(("tool",))


def test_a_case_that_is_as_before_holds_every_gate(red):
    assert red(one(), one(), *Gate) == []


def test_other_calls_fail_only_the_gate_of_tools(red):
    assert red(one(), one(tool="refund"), Gate.TOOLS) == ["red: 1 case with other tool calls (--fail-on tools)"]
    assert red(one(), one(tool="refund"), Gate.COST, Gate.LATENCY, Gate.REPLIES, Gate.REGRESSION) == []


def test_other_replies_fail_the_gate_of_replies(red):
    assert len(red(one("yes"), one("no"), Gate.REPLIES)) == 1


@pytest.mark.parametrize(
    ("before", "after", "is_red"),
    [
        ((100, None), (110, None), False),
        ((100, None), (130, None), True),
        ((100, 0.01), (500, 0.01), False),
        ((100, 0.01), (100, 0.02), True),
        ((0, None), (100, None), True),
    ],
)
def test_cost_counts_before_tokens_and_what_is_unknown_does_not_hold(red, before, after, is_red: bool):
    sides = [one(tokens=tokens, cost=cost) for tokens, cost in (before, after)]
    assert bool(red(*sides, Gate.COST)) is is_red


def test_calls_that_nobody_shows_cannot_hold(red):
    assert "cannot be compared" in red(one(shows_calls=False), one(), Gate.TOOLS)[0]


def test_slower_and_broken(red):
    assert red(changed(plain(), ms=100), changed(plain(), ms=900), Gate.LATENCY)
    assert red(plain(), changed(plain(), status=Status.FAILED), Gate.REGRESSION)
