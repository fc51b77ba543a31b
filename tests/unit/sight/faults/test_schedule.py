"""Faults strike by position among the calls that they mean, or by seeded chance."""

from typing import Any

from vivavoce.notation.fault_notation import read_fault
from vivavoce.sight.faults.schedule import Schedule


def schedule(*faults: Any) -> Schedule:
    return Schedule(tuple(map(read_fault, faults)))


def test_a_fault_strikes_once_and_where_is_told():
    faults = schedule("model:429@2")
    assert [faults.next("model") is not None for _ in range(4)] == [False, True, False, False]
    assert [str(strike) for strike in faults.struck] == ["fault model:429@2 struck at model call 2"]
    assert faults.never_fired() is None


def test_only_calls_of_the_tool_with_these_arguments_count():
    faults = schedule({"at": "tool", "name": "refund", "kind": "error", "nth": 2, "args": {"order": {"id": 7}}})
    meant: dict[str, Any] = {"order": {"id": 7, "day": 1}, "amount": 3}
    assert faults.next("tool", "refund", meant) is None
    assert faults.next("tool", "refund", {"order": {"id": 8}}) is None
    assert faults.next("tool", "charge", meant) is None
    assert faults.next("model") is None
    assert faults.next("tool", "refund", meant) is not None


def test_a_fault_that_never_fired_tells_how_many_calls_there_were():
    faults = schedule("tool:refund:error@3")
    faults.next("tool", "refund", {})
    assert faults.never_fired() == "fault tool:refund:error@3 never happened: 1 such call"


def test_chance_is_the_same_for_the_same_seed_and_may_spare_a_case():
    def strikes(seed: int) -> list[bool]:
        faults = schedule({"at": "model", "kind": "500", "rate": 0.5, "seed": seed})
        strikes = [faults.next("model") is not None for _ in range(30)]
        assert faults.never_fired() is None
        return strikes

    assert strikes(1) == strikes(1) != strikes(2)
    assert 0 < sum(strikes(1)) < 30


def test_chance_that_never_had_a_call_tested_nothing():
    faults = schedule({"at": "tool", "name": "refund", "kind": "error", "rate": 0.5, "seed": 1})
    faults.next("tool", "look", {})
    assert faults.never_fired() == "fault tool:refund:error never happened: 0 such calls"


def test_a_fault_that_had_nothing_to_spoil_is_told():
    faults = schedule("tool:refund:huge")
    fault = faults.next("tool", "refund", {})
    assert fault is not None
    faults.spare(fault, "refund failed by itself")
    assert faults.never_fired() == "fault tool:refund:huge had nothing to spoil: refund failed by itself"
