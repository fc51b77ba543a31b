"""Answers of many values."""

import json
import time
from typing import Any

import pytest

from vivavoce.model.value_count import MOST_VALUES, has_many_values, holds_many_values

MANY: dict[str, Any] = {
    "numbers": list(range(MOST_VALUES + 1)),
    "lists": [[]] * (MOST_VALUES + 1),
    "texts": ["a long text, with [commas] and {braces}"] * (MOST_VALUES + 1),
    "keys": {f"key {n}": n for n in range(MOST_VALUES + 1)},
    "inside": {"a": [{"b": [None] * 1000} for _ in range(MOST_VALUES // 1000)]},
}
FEW: dict[str, Any] = {
    "numbers": list(range(MOST_VALUES - 10)),
    "one text": ['[{,\\"' * MOST_VALUES],
    "a key": {'[{,\\"' * MOST_VALUES: 1},
    "a text": "," * 4 * MOST_VALUES,
    "nothing": {},
}


@pytest.mark.memory
@pytest.mark.parametrize("name", MANY)
def test_many_values_are_noticed_in_texts_and_in_memory(name: str):
    text = json.dumps(MANY[name], indent=1 if name == "lists" else None)
    assert holds_many_values(MANY[name])
    assert has_many_values(text)
    assert has_many_values(text.encode())


@pytest.mark.parametrize("name", FEW)
def test_long_texts_are_not_many_values(name: str):
    text = json.dumps(FEW[name])
    assert not holds_many_values(FEW[name])
    assert not has_many_values(text)
    assert not has_many_values(text.encode())


def test_words_are_no_values():
    assert not has_many_values("one, two, " * MOST_VALUES)


def test_a_value_that_holds_itself_has_many():
    value: list[Any] = []
    value.append(value)
    assert holds_many_values(value)


@pytest.mark.memory
@pytest.mark.parametrize("piece", [b'""', b'"",', b"[],", b"[", b'"', b'\\"', b",", b'{"', b"[,\\"])
def test_no_text_is_counted_for_long(piece: bytes):
    content = b"[" + piece * (30_000_000 // len(piece))
    began = time.thread_time()
    has_many_values(content)
    assert time.thread_time() - began < 6
