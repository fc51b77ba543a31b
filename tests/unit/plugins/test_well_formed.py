"""What plug-ins return has fields of their types, or is no answer and no verdict."""

from typing import Any

import pytest
from msgspec import structs

from vivavoce.model.message import AgentReply, ToolCall, Usage
from vivavoce.model.verdict import Outcome, failed, passed
from vivavoce.plugins.well_formed import Misfit, well_formed, well_formed_verdict
from vivavoce.protocols import ModelReply

WRONG: list[object] = [object(), 3.5j, len]


@pytest.mark.parametrize("made", [AgentReply, ModelReply], ids=lambda one: one.__name__)
@pytest.mark.parametrize("value", WRONG, ids=lambda value: type(value).__name__)
def test_no_field_may_hold_what_nobody_can_read(made: Any, value: object):
    for field in made.__struct_fields__:
        with pytest.raises(Misfit):
            well_formed(made(**{field: value}))


@pytest.mark.parametrize("made", [AgentReply, ModelReply], ids=lambda one: one.__name__)
@pytest.mark.parametrize("field", ["text", "calls", "unread"])
def test_none_is_no_list_and_no_text(made: Any, field: str):
    with pytest.raises(Misfit, match=field):
        well_formed(made(**{field: None}))


def test_what_is_in_order_stays_as_it_is():
    reply = AgentReply(
        text="a\ud800", data={"n": float("inf")}, calls=(ToolCall(name="t", args={"a": [1]}),), usage=Usage()
    )
    assert well_formed(reply) == reply
    as_list: Any = [ToolCall(name="t")]
    assert well_formed(AgentReply(calls=as_list)).calls == (ToolCall(name="t"),)


BENT: dict[str, list[object]] = {
    "outcome": ["great", None, 1, True],
    "reason": [None, 3, ["x"]],
    "score": ["1", [1]],
    "details": [[1], None, "x"],
    "fault": ["nobody", 3],
    "negatable": [None, "no"],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in BENT.items() for value in values])
@pytest.mark.parametrize("verdict", [passed(), failed("no")], ids=["passed", "failed"])
def test_a_verdict_with_a_bent_field_is_a_broken_check(verdict: Any, field: str, value: object):
    found = well_formed_verdict(structs.replace(verdict, **{field: value}))
    assert found.outcome is Outcome.BROKEN
    assert field in found.reason


def test_a_verdict_may_say_its_outcome_as_a_word_and_show_anything():
    shown = object()
    word: Any = "failed"
    found = well_formed_verdict(structs.replace(passed(), outcome=word, actual=shown, expected={1}))
    assert (found.outcome, found.actual, found.expected) == (Outcome.FAILED, shown, {1})
