"""What comparing needs to know of a result, read from its line."""

import pytest
from msgspec import structs
from tests.fakes.result_builders import attempt, call, case, result, turn
from tests.fakes.results import every_kind, outcome_of

from vivavoce.model.message import AgentReply
from vivavoce.model.result import CaseResult
from vivavoce.results.comparison.call_alignment import Called
from vivavoce.results.row_outcome import calls_in, outcome_in
from vivavoce.results.rows import row_line


def with_calls(*calls_of_turns: tuple, **reply: object) -> CaseResult:
    turns = [turn(number, "hi", "ok", calls=calls) for number, calls in enumerate(calls_of_turns, 1)]
    if reply:
        turns = [structs.replace(one, reply=AgentReply(text="ok", calls=one.reply.calls, **reply)) for one in turns]
    return result(case("a", *["hi"] * len(turns)), attempt(*turns))


def digest(*calls_of_turns: tuple) -> str:
    return outcome_in(row_line(with_calls(*calls_of_turns))).calls_digest


@pytest.mark.parametrize("result", every_kind(), ids=lambda result: result.case.id)
def test_an_outcome_read_from_a_row_is_that_of_the_result(result: CaseResult):
    assert outcome_in(row_line(result)) == outcome_of(result)


def test_the_digest_of_calls_knows_name_arguments_order_turn_and_failure():
    lookup, refund = call("lookup", {"id": 7}), call("refund", {"id": 7, "amount": 20})
    seen = [
        digest((lookup, refund)),
        digest((refund, lookup)),
        digest((lookup,)),
        digest((lookup,), (refund,)),
        digest((lookup, call("refund", {"id": 7, "amount": 21}))),
        digest((lookup, call("refund", {"id": 7, "amount": 20}, error="no"))),
        digest(()),
    ]
    assert len(set(seen)) == len(seen)


def test_the_digest_of_calls_ignores_ids_times_results_and_the_order_of_keys():
    one = call("refund", {"id": 7, "amount": 20}, id="x1", at=5, result="ok")
    other = call("refund", {"amount": 20, "id": 7}, id="y2", at=500, result="done")
    assert digest((one,)) == digest((other,))


def test_calls_are_read_with_their_turns():
    row = row_line(with_calls((call("a", {}),), (call("b", [1], error="broke"),)))
    assert calls_in(row) == [Called(turn=1, name="a", args={}), Called(turn=2, name="b", args=[1], failed=True)]


def test_an_answer_without_a_place_for_calls_is_marked():
    assert outcome_in(row_line(with_calls(()))).shows_calls
    assert not outcome_in(row_line(with_calls((), shows_calls=False))).shows_calls
