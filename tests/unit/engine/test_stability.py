"""How steady a case is: intervals against published values, consistency of outputs."""

import pytest

from vivavoce.engine.stability import consistency, stability_of, wilson_interval
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript, Turn


def attempt(output: object, status: Status = Status.PASSED) -> Attempt:
    reply = AgentReply(text=output) if isinstance(output, str) else AgentReply(data=output)
    turn = Turn(number=1, line=Line(content="x"), reply=reply)
    return Attempt(status=status, transcript=Transcript(turns=(turn,)))


@pytest.mark.parametrize(
    ("passed", "runs", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3: Wilson without continuity correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # Symmetric by definition.
        (20, 20, 0.8389, 1.0000),
    ],
)
def test_wilson_intervals_agree_with_the_published_table(passed: int, runs: int, low: float, high: float):
    assert wilson_interval(passed, runs) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_without_runs_nothing_is_known():
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_outputs_agree_apart_from_white_space_and_case():
    stability = stability_of([attempt("Hello  there"), attempt("hello there\n"), attempt("Bye")])
    assert stability.consistency == pytest.approx(2 / 3)


def test_structured_outputs_agree_whatever_the_order_of_keys():
    stability = stability_of([attempt({"a": 1, "b": 2}), attempt({"b": 2.0, "a": 1})])
    assert stability.consistency == 1.0


def test_a_run_without_output_agrees_with_none():
    assert consistency([None, None, "x"]) == pytest.approx(1 / 3)
    assert consistency([None, None]) == 0.0


def test_skipped_runs_do_not_count():
    stability = stability_of([attempt("a"), attempt("a", Status.SKIPPED), attempt("a", Status.FAILED)])
    assert (stability.runs, stability.passed, stability.pass_rate) == (2, 1, 50.0)


def test_the_chance_that_all_runs_pass_again():
    stability = stability_of([attempt("a"), attempt("a"), attempt("a"), attempt("a", Status.FAILED)])
    assert stability.pass_hat_k == pytest.approx(0.75**4)
