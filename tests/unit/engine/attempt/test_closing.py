"""The end of a conversation: which checks run, what is warned of."""

from typing import Any

import pytest
from tests.fakes.evidence import helpers
from tests.fakes.examining import case_of
from tests.fakes.result_builders import bare_turn

from vivavoce.engine.attempt.closing import Closing, judged
from vivavoce.model.message import AgentReply, Unread
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Ending, EndReason, Transcript

SAYS_OK = {"type": "contains", "value": "ok"}


async def closed(
    reply: AgentReply, ending: EndReason = EndReason.COMPLETED, error: str | None = None, **case: Any
) -> Attempt:
    turn = bare_turn("hi", 1.0, reply, error=error)
    transcript = Transcript(turns=(turn,), ending=Ending(ending))
    return await judged(case_of(input="hi", **case), transcript, (), Closing(helpers=helpers(), timeout_s=5.0))


async def test_the_checks_of_the_case_and_those_of_its_end_are_told_apart():
    attempt = await closed(
        AgentReply(text="ok"), final_assertions=[{"type": "contains", "value": "no"}], **{"assert": SAYS_OK}
    )
    assert [verdict.outcome.value for verdict in attempt.verdicts] == ["passed"]
    assert [verdict.outcome.value for verdict in attempt.final_verdicts] == ["failed"]
    assert attempt.status is Status.FAILED


async def test_no_check_runs_over_a_conversation_that_broke_off():
    attempt = await closed(AgentReply(text="ok"), EndReason.TIMEOUT, **{"assert": SAYS_OK})
    assert (attempt.status, attempt.verdicts, attempt.final_verdicts) == (Status.TIMEOUT, (), ())
    assert "5s" in (attempt.error or "")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (AgentReply(text="ok"), []),
        (AgentReply(), ["turn 1: the agent answered nothing"]),
        (
            AgentReply(text="ok", finish_reason="length"),
            ["turn 1: the answer was cut off (finish_reason: length)"],
        ),
        (AgentReply(text="ok", warnings=("slow",)), ["turn 1: slow"]),
        (AgentReply(text="ok", unread=(Unread("{"),)), ["turn 1: not read from the answer: {"]),
        (AgentReply(text="ok", violations=("no end",)), ["turn 1: protocol: no end"]),
    ],
    ids=["nothing", "silent", "cut off", "warning", "unread", "violation"],
)
async def test_what_is_odd_about_an_answer_is_a_warning_with_its_turn(reply: AgentReply, said: list[str]):
    assert list((await closed(reply)).warnings) == said


async def test_a_broken_rule_that_failed_the_turn_is_not_told_twice():
    reply = AgentReply(text="ok", violations=("no end", "no start"))
    assert (await closed(reply, error="protocol: no end")).warnings == ("turn 1: protocol: no start",)


async def test_an_expected_that_nothing_looks_at_is_warned_of():
    attempt = await closed(AgentReply(text="ok"), expected="never", **{"assert": SAYS_OK})
    assert attempt.status is Status.PASSED
    assert attempt.warnings[0].startswith("`expected` is not judged because the case has assertions")
    assert (await closed(AgentReply(text="ok"), expected="ok")).warnings == ()
