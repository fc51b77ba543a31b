"""How steady a case is: intervals against published values, consistency of outputs."""

import pytest

from vivavoce.engine.stability import consistency, similar_consistency, stability_of
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript, Turn


def attempt(output: object, status: Status = Status.PASSED) -> Attempt:
    reply = AgentReply(text=output) if isinstance(output, str) else AgentReply(data=output)
    turn = Turn(number=1, line=Line(content="x"), reply=reply)
    return Attempt(status=status, transcript=Transcript(turns=(turn,)))


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


def test_texts_that_are_nearly_the_same_agree_tolerantly():
    outputs = ["your order 17 is on its way", "your order 17 is on its way", "your order 17 is on the way", "no"]
    assert consistency(outputs) == 0.5
    assert similar_consistency(outputs) == 0.75
    assert similar_consistency([None, "a"]) == consistency([None, "a"]) == 0.5
