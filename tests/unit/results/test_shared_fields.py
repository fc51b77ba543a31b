"""Fields copied between a model type and its row type, before and after a function is compiled for them."""

from random import Random
from typing import Any

import pytest
from msgspec import Struct
from tests.fakes.any_struct import any_struct

from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.results import shared_fields
from vivavoce.results.shared_fields import SharedFields
from vivavoce.results.wire import RepeatRow, ReplyRow


class Model(Struct):
    name: str = ""
    size: int | None = None
    extra: dict[str, Any] = {}
    private: bool = False


class Row(Struct):
    name: str = ""
    size: int | None = 1
    extra: dict[str, Any] = {}


def often(fields: SharedFields) -> SharedFields:
    """The same after so many uses that its functions are compiled."""
    for _ in range(shared_fields._WORTH_COMPILING):
        fields.given(Model())
        fields.copy(Model(), Row())
    return fields


@pytest.mark.parametrize("fields", [SharedFields(Model, Row), often(SharedFields(Model, Row))])
def test_only_what_differs_from_the_default_is_given(fields: SharedFields):
    assert fields.given(Model()) == {"size": None}, "the defaults of the two differ, so it is always given"
    assert fields.given(Model("a", 2, {"x": 1}, True)) == {"name": "a", "size": 2, "extra": {"x": 1}}
    row = Row()
    fields.copy(Model("a", None, {"x": 1}), row)
    assert row == Row("a", None, {"x": 1})


def test_fields_that_mean_something_else_are_left_out():
    assert SharedFields(Model, Row, but=("size",)).names == ("name", "extra")


@pytest.mark.parametrize(("model", "row"), [(AgentReply, ReplyRow), (Attempt, RepeatRow), (Verdict, Verdict)])
def test_a_compiled_function_gives_what_the_loop_gives(model: type[Struct], row: type[Struct]):
    slow, fast = SharedFields(model, row), SharedFields(model, row)
    plain = Verdict(outcome=Outcome.PASSED) if model is Verdict else any_struct(model, Random(0))
    for _ in range(shared_fields._WORTH_COMPILING):
        fast.given(plain)
    assert fast.collect is not fast._collect_slowly
    for seed in range(50):
        source = any_struct(model, Random(seed))
        assert list(fast.given(source).items()) == list(slow.given(source).items())
