from pathlib import Path
from random import Random

import pytest
from tests.fakes.any_struct import any_struct
from tests.fakes.random_values import at_most

from vivavoce.executors.packing import CannotTravel, packed, unpacked
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.protocols import Job


def attempt_with(data: object) -> Attempt:
    turn = Turn(number=1, line=Line(content="hi"), reply=AgentReply(data=data))
    return Attempt(status=Status.PASSED, transcript=Transcript(turns=(turn,)))


@pytest.mark.parametrize("seed", range(at_most(50)))
def test_any_attempt_and_job_arrives_as_it_was_sent(seed: int):
    rng = Random(seed)
    for kind in (Attempt, Job):
        once = unpacked(packed(any_struct(kind, rng)), kind)
        assert unpacked(packed(once), kind) == once


def test_null_and_nothing_stay_different():
    assert unpacked(packed(attempt_with(None)), Attempt) == attempt_with(None)
    assert unpacked(packed(Attempt(status=Status.PASSED)), Attempt).output is None


@pytest.mark.parametrize("data", [2**70, 1e300, "\x00", {"é": [None, True, 1.5]}])
def test_every_value_of_json_arrives(data: object):
    assert unpacked(packed(attempt_with(data)), Attempt).output == data


def test_half_a_character_arrives():
    attempt = Attempt(status=Status.PASSED, logs="printed \ud800")
    assert unpacked(packed(attempt), Attempt) == attempt


def test_what_json_has_no_word_for_arrives_as_text():
    assert unpacked(packed(attempt_with(Path("a/b"))), Attempt).output == "a/b"


def test_endless_nesting_is_told_as_such():
    nested: list[object] = []
    nested.append(nested)
    with pytest.raises(CannotTravel, match="nested too deeply"):
        packed(attempt_with(nested))
