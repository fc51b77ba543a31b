"""What words mean as an answer to an interrupt, and how a test writes that answer down."""

import pytest

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import Interrupt
from vivavoce.notation.interrupt_answers import spoken_answer, written_answers, yes_or_no

ANSWERS = [
    *((said, True) for said in ("Yes!", True, "Yes, please go ahead.", "I approve.", "Sure, thank you!", "OK, do it")),
    *((said, False) for said in ("no", False, "No, thank you.", "I decline")),
    *((said, None) for said in ("maybe", 1, None, "", "please", "Yes, but only half of it", "yes and no", "do not")),
    *((said, None) for said in ("No, go ahead", "go ahead", "of course no")),
]
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


@pytest.mark.parametrize(("said", "meant"), ANSWERS)
def test_a_plain_yes_or_no_is_told_from_everything_else(said: str | bool | int, meant: bool | None):
    assert yes_or_no(said) is meant


def test_an_answer_is_written_down_by_tool_or_reason_since_ids_begin_anew():
    pay, ship = Interrupt(id="1", reason="approve_payment"), Interrupt(id="2", tool_name="ship", reason="approve")
    said = [ResumeAnswer(id="2", payload="no"), ResumeAnswer(id="1", payload="cancel")]
    assert list(written_answers(said, [pay, ship])) == [
        ResumeAnswer(tool="ship", payload="no"),
        ResumeAnswer(reason="approve_payment", cancelled=True),
    ]


def test_one_answer_to_all_that_was_open_is_written_down_once():
    twins = [Interrupt(id="1", tool_name="pay"), Interrupt(id="2", tool_name="pay")]
    assert list(written_answers([ResumeAnswer(payload="yes")], twins)) == [ResumeAnswer(payload="yes")]
    asks = Interrupt(id="3", reason="sure?", schema={"properties": {"confirmed": FLAG}})
    assert list(written_answers([ResumeAnswer(payload="yes")], [twins[0], asks])) == [
        ResumeAnswer(tool="pay", payload="yes"),
        ResumeAnswer(reason="sure?", payload={"confirmed": True}),
    ]
