"""A turn as a row: times to the microsecond, and only what is worth telling."""

import pytest
from msgspec import UNSET, structs
from tests.fakes.result_builders import BEGAN_MS, call, case, spec, turn
from tests.fakes.result_builders import passed as held

from vivavoce.model.case import CallOptions
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Awaiting
from vivavoce.results.turn_rows import call_rows, to_the_microsecond, turn_row

CASE = case("T1", "hi")
TURN = turn(1, "hi", "hello")


@pytest.mark.parametrize(
    ("given", "kept"), [(0.0, 0.0), (1.23456, 1.235), (1.2344, 1.234), (BEGAN_MS + 0.0002, BEGAN_MS), (-0.5, -0.5)]
)
def test_times_are_kept_to_the_microsecond(given: float, kept: float):
    assert to_the_microsecond(given) == pytest.approx(kept, abs=1e-9)


def test_calls_have_their_times_where_they_are_known():
    timed, untimed = call_rows((call("pay", {"n": 1}, began=100, at=400.0002), call("mail", {})))
    assert (timed.start_ts, timed.timestamp) == (BEGAN_MS + 100, BEGAN_MS + 400)
    assert (untimed.start_ts, untimed.timestamp) == (None, None)
    assert (timed.name, timed.args) == ("pay", {"n": 1})


def test_a_turn_always_says_who_spoke_and_whether_the_agent_waits():
    row = turn_row(CASE, structs.replace(TURN, awaiting=Awaiting(True, "content_is_question")))
    assert (row.input_source, row.awaiting_input, row.awaiting_reason) == ("static", True, "content_is_question")


def test_options_and_checks_stand_there_only_where_they_are_others():
    check = spec("contains", value="x")
    plain = turn_row(CASE, TURN)
    assert plain.options is UNSET
    assert plain.checks is UNSET
    line = structs.replace(TURN.line, options=CallOptions(mode="fast"), assertions=(check,))
    not_judged = turn_row(CASE, structs.replace(TURN, line=line, verdicts=()))
    assert not_judged.options == CallOptions(mode="fast")
    assert not_judged.checks == (check,)
    judged = turn_row(CASE, structs.replace(TURN, line=line, verdicts=(held(check),)))
    assert judged.checks is UNSET
    assert judged.assertions[0]["passed"] is True


def test_data_that_is_a_text_is_told_from_the_words():
    data = turn_row(CASE, structs.replace(TURN, reply=AgentReply(text="words", data="data")))
    assert (data.output, data.structured, data.response) == ("data", True, "words")
    words = turn_row(CASE, TURN)
    assert (words.output, words.structured, words.response) == ("hello", False, UNSET)
