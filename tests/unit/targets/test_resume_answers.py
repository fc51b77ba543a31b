"""Whose fault an answer is that nothing asked for."""

from tests.fakes.agents import FakeTarget
from tests.fakes.examining import attempt_once, case_of

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.result import Status
from vivavoce.targets.resume_answers import DeclaredAnswers, left_over


async def test_an_answer_that_nothing_asked_for_is_a_failure_of_the_test():
    declared = DeclaredAnswers([ResumeAnswer(tool="pay")])
    assert declared.for_interrupts([]) == ([], [])
    status, error = left_over(declared.left, [], ExchangeStatus.SUCCESS, None)
    reply = AgentReply(text="done", status=status, error=error)
    attempt = await attempt_once(case_of(input="hi"), FakeTarget([reply]))
    assert (attempt.status, attempt.fault) == (Status.FAILED, "test")
    assert "but the agent did not stop for that" in str(attempt.error)
