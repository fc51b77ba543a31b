"""The short way from a line to its case leads to the same place as the long one, or declines."""

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.sources.decoding import case_fields
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.reading.line_decoder import decode_lines

AT = Origin("cases.jsonl", 7)
CONTAINS = {"type": "contains", "value": "pong", "negate": True, "message": "no: pong"}
TOOL = {"name": "pick", "parameters": {"type": "object"}, "when": [{"args": {"a": "x"}, "answer": 1}]}
EXAMPLES: dict[str, Any] = {
    "id": "T1",
    "name": "a name: with a colon",
    "description": "long",
    "tags": ["smoke", "slow"],
    "metadata": {"owner": {"name": "me"}, "list": [{"a": 1}]},
    "skip": "not today",
    "agent": "my.agent",
    "user": "u",
    "team": "t",
    "locale": "de",
    "input": "ping",
    "messages": [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": [{"type": "text", "text": "?"}]},
    ],
    "expected": {"answer": 42},
    "assert": CONTAINS,
    "assertions": [CONTAINS, {"text": {"must_match": ["x"]}}],
    "options": {"connector": "fast", "mode": "m", "search": {"deep": 1}, "skip": {"trace": True}, "metadata": {"k": 1}},
    "timeout": "30s",
    "type": "multi_turn",
    "turns": [
        {"input": "hi", "assert": CONTAINS, "options": {"mode": "m"}},
        {"user": "there", "attachments": [{"type": "text", "text": "x"}], "resume": {"id": "r", "cancelled": False}},
    ],
    "simulator": {"use": "someone", "options": {"metadata": {"max_turns": 3}}, "metadata": {"goal": "buy"}},
    "checkpoints": [
        {"id": "a", "assert": CONTAINS},
        {"id": "b", "assertion": CONTAINS, "after": "a", "required": True},
    ],
    "max_turns": 4,
    "interactive": {"enabled": True},
    "on_missing_input": "fail",
    "final_assertions": [CONTAINS],
    "stop_on_failure": False,
    "hooks": [{"cmd": ["true"], "timeout_ms": 500}],
    "before": "scripts:setup.start",
    "after": "scripts:setup.stop",
    "tools": [TOOL],
    "state": {"cart": []},
    "thread_id": "t-1",
    "workspace": "shop",
    "runs": 3,
    "min_score": 0.5,
    "priority": 1,
    "mocks": [TOOL],
    "faults": ["model:429@2"],
    "mutants": {"allow": ["reply-number"]},
    "min_pass": 2,
}
ODD_VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2.0,
    10**30,
    "",
    "x",
    "30s",
    [],
    {},
    [None],
    [1],
    [{}],
    {"x": None},
    {"type": 1},
]


def long_way(raw: dict[str, Any]) -> Case | None:
    try:
        return decode_case(raw, AT)
    except UsageError:
        return None


def short_way(text: str) -> Case | None:
    cases = decode_lines(AT.path, [f"{text}\n".encode()], AT.line)
    return None if cases is None else cases[0]


def with_a_repeated_key(value: Any) -> Iterator[str]:
    """The value as JSON, once for every key in it, that key written twice."""
    if isinstance(value, dict):
        members = [(key, json.dumps(inner)) for key, inner in value.items()]
        for index, (key, text) in enumerate(members):
            others = [f'"{k}": {t}' for k, t in members]
            yield f"{{{', '.join([*others, f'{json.dumps(key)}: {text}'])}}}"
            for inside in with_a_repeated_key(value[key]):
                yield f"{{{', '.join([*others[:index], f'{json.dumps(key)}: {inside}', *others[index + 1 :]])}}}"
    elif isinstance(value, list):
        items = [json.dumps(item) for item in value]
        for index, item in enumerate(value):
            for inside in with_a_repeated_key(item):
                yield f"[{', '.join([*items[:index], inside, *items[index + 1 :]])}]"


def test_the_examples_have_every_field_of_a_case():
    # A table makes many cases of one: the short way declines it.
    assert {*EXAMPLES, "each"} == set(CaseFields.__struct_encode_fields__)


def test_a_case_with_a_table_and_messages_of_a_script_go_their_way():
    assert short_way('{"id": "T1", "input": "x", "each": "t.csv"}') is None
    raw = {"id": "T1", "messages": {"use": "scripts:make.history"}}
    case = short_way(json.dumps(raw))
    assert case == long_way(raw)
    assert case is not None
    assert (case.history_script, case.turns) == ("scripts:make.history", ())


def said_beside(name: str) -> dict[str, Any]:
    """`input` and `turns` exclude each other."""
    return {"id": "T1"} if name == "turns" else {"id": "T1", "input": "ping"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_both_ways_make_the_same_case_of_a_field(name: str):
    raw = {**said_beside(name), name: EXAMPLES[name]}
    case = short_way(json.dumps(raw))
    assert case == long_way(raw)
    assert case is not None
    assert case.origin == AT


def test_both_ways_agree_on_any_two_fields_together():
    for names in combinations(EXAMPLES, 2):
        raw = {"id": "T1", **{name: EXAMPLES[name] for name in names}}
        assert short_way(json.dumps(raw)) == long_way(raw), names


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_the_long_way_refuses_the_short_way_declines(name: str):
    for odd in ODD_VALUES:
        raw = {"id": "T1", "input": "ping", name: odd}
        assert short_way(json.dumps(raw)) == long_way(raw), odd


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_key_repeated_anywhere_is_never_overlooked(name: str):
    for text in with_a_repeated_key({"id": "T1", "input": "ping", name: EXAMPLES[name]}):
        assert short_way(text) is None, text


def test_no_table_of_fields_writes_what_its_author_did_not():
    tables = [
        kind for kind in vars(case_fields).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    ]
    fields = [kind for kind in tables if kind is not msgspec.Struct]
    assert CaseFields in fields
    assert [kind.__name__ for kind in fields if not kind.__struct_config__.omit_defaults] == []


def test_what_is_written_but_says_nothing_is_no_repetition():
    nothing = (
        '{"id": "T1", "input": "ping", "name": null, "options": {"mode": null}, "interactive": {"enabled": false}}'
    )
    assert short_way(nothing) == long_way(json.loads(nothing)) != None  # noqa: E711


def test_an_escaped_colon_hides_no_repetition():
    assert short_way(r'{"id": "a", "id": "\u003a", "input": "ping"}') is None


@pytest.mark.parametrize("line", ["", "# a comment", "{", '{"id": "a"} {"id": "b"}', "[]", "null", "[" * 100_000])
def test_what_is_not_one_whole_object_is_declined(line: str):
    assert short_way(line) is None
