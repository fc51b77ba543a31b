from tests.fakes.results import conversation, flaky, missing_input, plain

from vivavoce.model.result import Status
from vivavoce.results.row_parts import parts_in
from vivavoce.results.rows import row_line


def test_a_flat_row_is_its_own_turn_and_attempt():
    seen = parts_in(row_line(plain()))
    assert [turn.output for turn in seen.taken()] == ["What type of expense?"]
    assert seen.attempts == (seen,)


def test_of_a_repeated_case_the_first_run_with_its_status_decides():
    seen = parts_in(row_line(flaky()))
    assert len(seen.attempts) == 10
    assert seen.decisive is seen.attempts[2]
    assert seen.decisive.status is Status.FAILED


def test_a_turn_that_nobody_took_is_left_out():
    for result in (missing_input(), conversation()):
        assert len(parts_in(row_line(result)).taken()) == len(result.decisive.transcript.turns)
