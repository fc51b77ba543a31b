"""Arguments changed, missing or of another type; results turned into errors."""

import pytest
from msgspec import UNSET

from vivavoce.insight.mutants.arguments import another, argument_mutants, result_mutants
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Line, Transcript, Turn

PAY = ToolCall(id="1", name="pay", args={"amount": 40, "to": "Ada"}, result={"ok": True})


def conversation(*calls: ToolCall) -> Transcript:
    turn = Turn(number=1, line=Line(content="pay"), reply=AgentReply(text="done", calls=calls))
    return Transcript(turns=(turn,))


def test_every_argument_is_changed_left_out_and_given_another_type():
    found = list(argument_mutants(conversation(PAY)))
    args = {(one.element, one.kind): one.transcript.turns[0].reply.calls[0].args for one in found}
    assert args == {
        ("pay.amount", MutantKind.ARGUMENT_CHANGED): {"amount": 41, "to": "Ada"},
        ("pay.amount", MutantKind.ARGUMENT_MISSING): {"to": "Ada"},
        ("pay.amount", MutantKind.ARGUMENT_TYPE): {"amount": [40], "to": "Ada"},
        ("pay.to", MutantKind.ARGUMENT_CHANGED): {"amount": 40, "to": "xxx"},
        ("pay.to", MutantKind.ARGUMENT_MISSING): {"amount": 40},
        ("pay.to", MutantKind.ARGUMENT_TYPE): {"amount": 40, "to": ["Ada"]},
    }


def test_the_change_is_told_with_what_was_and_what_is():
    missing = next(one for one in argument_mutants(conversation(PAY)) if one.kind is MutantKind.ARGUMENT_MISSING)
    assert (missing.change, missing.before, missing.after) == (
        "argument amount of pay is missing",
        "amount: 40",
        "no amount",
    )
    assert missing.suggestions[1] == {"type": "tool_called", "name": "pay", "arguments": {"amount": 40}}


def test_only_the_call_in_question_is_another_one():
    second = ToolCall(id="2", name="mail", args={"to": "Bob"})
    found = [one for one in argument_mutants(conversation(PAY, second)) if one.element == "mail.to"]
    assert found
    assert all(one.transcript.turns[0].reply.calls[0] == PAY for one in found)


def test_arguments_that_are_no_object_have_no_mutants():
    assert list(argument_mutants(conversation(ToolCall(name="pay", args=[1, 2])))) == []


def test_a_result_becomes_an_error_and_an_error_stays_one():
    failed = ToolCall(id="2", name="mail", args={}, error="no route")
    (only,) = result_mutants(conversation(PAY, failed))
    changed = only.transcript.turns[0].reply.calls[0]
    assert (changed.result, changed.error) == (UNSET, "it failed")
    assert only.before == 'result: {"ok":true}'


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (True, False),
        (1, 2),
        (1.5, 2.5),
        ("A-17", "x-xx"),
        ("xx", "xx-other"),
        ("", "-other"),
        (None, "other"),
        ([], None),
    ],
)
def test_another_value_has_the_same_type_where_it_can(value: JsonValue, other: JsonValue):
    assert another(value) == other
    assert another(value) != value
