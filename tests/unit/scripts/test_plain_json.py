"""What counts as JSON, and how the rest is told."""

import enum
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest
from pydantic import BaseModel

from vivavoce.model.message import Usage
from vivavoce.scripts.plain_json import NotJson, as_json


class Colour(str, enum.Enum):  # noqa: UP042 - this older way is what users have
    RED = "red"


@dataclass
class Point:
    x: int
    inner: Any = None


class Model(BaseModel):
    at: datetime


class Hostile:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"attr {name}")


class Unwilling(dict[str, Any]):
    def items(self) -> Any:
        raise OSError("no")


LOOP: list[Any] = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        ("ü", "ü"),
        (2**70, 2**70),
        ({"a": (1, 2.5)}, {"a": [1, 2.5]}),
        (Colour.RED, "red"),
        (Point(1, Point(2)), {"x": 1, "inner": {"x": 2, "inner": None}}),
        (Model(at=datetime(2024, 1, 2)), {"at": "2024-01-02T00:00:00"}),
        (Usage(1, 2), {"input_tokens": 1, "output_tokens": 2, "cost": None}),
    ],
)
def test_values_that_are_json(value: Any, plain: Any):
    found = as_json(value)
    assert found == plain
    assert type(found) is type(plain)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (float("nan"), "$ is NaN"),
        ({"score": float("nan")}, "$.score is NaN"),
        ({"a": [0, float("-inf")]}, "$.a[1] is -Infinity"),
        ([{"x": float("inf")}], "$[0].x is Infinity"),
        ({"a": b"x"}, "$.a is of type bytes, which is not JSON"),
        ({"a": object}, "$.a is of type type, which is not JSON"),
        ({"a": {1: 2}}, "$.a has the key 1, which is not text"),
        ({"a": {"x"}}, "$.a is of type set, which is not JSON"),
        (["\ud800"], "$[0] holds half of a character at 0 (a lone surrogate)"),
        (LOOP, "$ contains itself or is nested too deeply"),
    ],
)
def test_values_that_are_not(value: Any, said: str):
    with pytest.raises(NotJson) as caught:
        as_json(value)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [({"a": Hostile()}, "reading it raised RuntimeError: attr model_dump"), (Unwilling(a=1), "raised OSError: no")],
)
def test_a_value_that_cannot_even_be_read_is_none(value: Any, said: str):
    with pytest.raises(NotJson, match=said):
        as_json(value)
