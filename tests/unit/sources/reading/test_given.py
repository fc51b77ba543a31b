"""Cases that a program hands over are JSON, as those in files are."""

from enum import StrEnum
from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.sources.reading.given import GivenSource


class Word(StrEnum):
    HELLO = "hello"


def given(value: Any) -> Case | UsageError:
    (read,) = GivenSource(
        [{"input": "x", "assert": {"type": "equals", "value": {"a": [value]}, "negate": True}}]
    ).read()
    return read


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), -float("inf"), {1, 2}, b"x", object(), "\ud800", {1: 2}, 1 + 2j],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_json_is_refused_with_its_place(value: Any):
    problem = given(value)
    assert isinstance(problem, UsageError)
    assert str(problem).startswith("<cases>:1: the case is not JSON: $.assert.value.a[0]")


@pytest.mark.parametrize(("value", "read"), [(Word.HELLO, "hello"), ((1, 2), [1, 2]), (10**400, 10**400)], ids=repr)
def test_what_json_can_say_is_read_as_that(value: Any, read: Any):
    case = given(value)
    assert isinstance(case, Case)
    assert case.assertions[0].fields == {"value": {"a": [read]}}
