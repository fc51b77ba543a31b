"""What words mean as an answer to an interrupt, and whose fault an answer is that nothing asked for."""

import pytest
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import attempt_once, case_of

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt
from vivavoce.model.result import Status
from vivavoce.targets.resume_answers import left_over, spoken_answer

FLAG = {"type": "boolean"}


@pytest.mark.parametrize(("word", "meant"), [("yes", True), ("Approved!", True), ("no", False), (" OK. ", True)])
@pytest.mark.parametrize("required", [None, ["approved"], ["approved", "accepted"]])
@pytest.mark.parametrize("alias", ["accepted", "confirmed", "approve"])
def test_a_yes_answers_an_approval_under_all_its_names(word: str, meant: bool, required: list[str] | None, alias: str):
    schema = {"type": "object", "properties": {"approved": FLAG, alias: FLAG, "reason": {"type": "string"}}}
    wanted = [name.replace("accepted", alias) for name in required or ()]
    answer = spoken_answer(word, Interrupt(id="i1", schema={**schema, "required": wanted} if required else schema))
    assert answer.payload == dict.fromkeys(wanted or ["approved", alias], meant)


def test_two_questions_are_not_answered_by_one_word():
    schema = {"properties": {"send_mail": FLAG, "keep_copy": FLAG}}
    assert spoken_answer("yes", Interrupt(id="i1", schema=schema)).payload == "yes"


async def test_an_answer_that_nothing_asked_for_is_a_failure_of_the_test():
    status, error = left_over([ResumeAnswer(tool="pay")], [], ExchangeStatus.SUCCESS, None)
    reply = AgentReply(text="done", status=status, error=error)
    attempt = await attempt_once(case_of(input="hi"), FakeTarget([reply]))
    assert (attempt.status, attempt.fault) == (Status.FAILED, "test")
    assert "but the agent did not stop for that" in str(attempt.error)
