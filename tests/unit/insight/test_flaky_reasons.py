"""Whose fault a flaky failure was."""

import pytest

from vivavoce.insight.flaky_reasons import blame
from vivavoce.model.case import LineSource
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Awaiting, Line, Transcript, Turn
from vivavoce.model.verdict import Fault

PASSED, FAILED = Status.PASSED, Status.FAILED


def talk(status: Status, *said: tuple[str, str], source: LineSource = "static", fault: Fault | None = None) -> Attempt:
    turns = tuple(
        Turn(
            number=number,
            line=Line(content=line, source=source if number > 1 else "static"),
            reply=AgentReply(text=reply),
            awaiting=Awaiting(False, "completed"),
        )
        for number, (line, reply) in enumerate(said, 1)
    )
    return Attempt(status=status, transcript=Transcript(turns=turns), fault=fault)


def test_a_judge_that_flips_on_the_same_transcript_is_blamed():
    failed = talk(FAILED, ("hi", "hello"))
    assert blame(failed, [FAILED, PASSED, FAILED], [talk(PASSED, ("hi", "good day"))]) == "judge"


def test_a_judge_that_breaks_when_asked_again_is_blamed():
    assert blame(talk(FAILED, ("hi", "hello")), [FAILED, Status.ERROR], []) == "judge"


def test_a_steady_judge_leaves_the_agent():
    assert blame(talk(FAILED, ("hi", "no")), [FAILED] * 3, [talk(PASSED, ("hi", "hello"))]) == "agent"
    assert blame(talk(FAILED, ("hi", "no")), [FAILED] * 3, []) == "agent"


@pytest.mark.parametrize("fault", ["target", "hook", "simulator", "judge"])
def test_a_recorded_fault_stays(fault: Fault):
    assert blame(talk(Status.ERROR, ("hi", ""), fault=fault), [PASSED], []) == fault


def test_the_same_line_of_the_simulator_that_leads_elsewhere_is_the_agents():
    failed = talk(FAILED, ("hi", "hello"), ("pay", "no"), source="simulator")
    passed = talk(PASSED, ("hi", "hello"), ("pay", "paid"), source="simulator")
    assert blame(failed, [FAILED], [passed]) == "agent"


def test_another_line_after_the_same_words_is_the_simulators():
    failed = talk(FAILED, ("hi", "hello"), ("bye", "bye"), source="simulator")
    passed = talk(PASSED, ("hi", "hello"), ("pay", "paid"), source="simulator")
    assert blame(failed, [FAILED], [passed]) == "simulator"


def test_a_simulator_that_stopped_early_is_blamed():
    failed = talk(FAILED, ("hi", "hello"), source="simulator")
    passed = talk(PASSED, ("hi", "hello"), ("pay", "paid"), source="simulator")
    assert blame(failed, [FAILED], [passed]) == "simulator"


def test_another_line_after_another_reply_is_the_agents():
    failed = talk(FAILED, ("hi", "what?"), ("bye", "bye"), source="simulator")
    passed = talk(PASSED, ("hi", "hello"), ("pay", "paid"), source="simulator")
    assert blame(failed, [FAILED], [passed]) == "agent"
