"""References as users write them."""

from typing import Any

import pytest

from vivavoce.notation.references import Ref, looks_like_path, parse_params, parse_ref

KINDS = ("agents", "scripts")


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("agents:a.b?count=3", Ref("agents", "a.b", {"count": 3})),
        ("scripts:m.f", Ref("scripts", "m.f", {})),
        ("a.b", Ref("agents", "a.b", {})),
        ("http://x?y=1", Ref("agents", "http://x", {"y": 1})),
        ("scripts:", Ref("scripts", "", {})),
    ],
)
def test_a_known_prefix_is_split_off(text: str, ref: Ref):
    assert parse_ref(text, KINDS, "agents") == ref


def test_a_reference_is_written_as_it_was_read():
    assert str(parse_ref("scripts:m.f?x=1", KINDS)) == "scripts:m.f"
    assert str(parse_ref("plain", KINDS)) == "plain"


@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("a=1&b=1.5&c=true&d=false&e=x", {"a": 1, "b": 1.5, "c": True, "d": False, "e": "x"}),
        ("a=-2&b=.5&c=1e3", {"a": -2, "b": 0.5, "c": 1000.0}),
        ("a=1&a=2", {"a": 1}),
        ("a=&b=True&c=1_000&d=٣٤", {"a": "", "b": "True", "c": "1_000", "d": 34}),
        ("a=%20x%26", {"a": " x&"}),
        ("a=" + "9" * 5000, {"a": "9" * 5000}),
    ],
)
def test_values_have_the_type_they_look_like(query: str, params: dict[str, Any]):
    assert parse_params(query) == params


@pytest.mark.parametrize(
    "text", ["tests/", "./x", "../x", "a/b/c", "cases.jsonl", "cases.JSONL:12", "x.yml", "c.json:3x"]
)
def test_what_was_meant_as_a_file(text: str):
    assert looks_like_path(text)


@pytest.mark.parametrize("text", ["", "Hello", "yes/no", "read cases.jsonl please", "a/b c/d e/f", "x.jsonlines"])
def test_what_was_meant_as_a_message(text: str):
    assert not looks_like_path(text)
