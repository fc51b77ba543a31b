"""Checks put into JSON case files whose comments and layout stay as they are."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vivavoce.sources.editing.added_check import AddedCheck, CannotInsert
from vivavoce.sources.editing.json_insertion import add_to_json

CHECK = {"type": "contains", "value": "a"}
NEW = '{"type":"contains","value":"a"}'
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{"id": "a", "input": "x"}\n', f'{{"id": "a", "input": "x", "assertions": [{NEW}]}}\n'),
        ('{"id": "a", "assert": []} // why\n', f'{{"id": "a", "assert": [{NEW}]}} // why\n'),
        (
            '{"id": "a", "assert": {"type": "x"}}',
            f'{{"id": "a", "assert": [{{"type": "x"}}, {NEW}]}}',
        ),
        (
            '{\n  "id": "a", // ]\n  "assert": [\n    {"type": "x"} // one, two\n  ]\n}',
            f'{{\n  "id": "a", // ]\n  "assert": [\n    {{"type": "x"}},\n    {NEW} // one, two\n  ]\n}}',
        ),
        (
            '{"id": "a: {", "assert": [{"type": "x", "v": ["]"]},]}',
            f'{{"id": "a: {{", "assert": [{{"type": "x", "v": ["]"]}}, {NEW},]}}',
        ),
    ],
)
def test_a_check_of_a_json_case(text: str, after: str):
    assert add_to_json(text, 1, AddedCheck(CHECK)) == after


def test_a_check_of_a_turn_of_the_second_json_case():
    text = '{"id": "a"}\n{"id": "b", "turns": [{"input": "x"}, {"input": "y"}]}\n'
    wanted = f'{{"id": "a"}}\n{{"id": "b", "turns": [{{"input": "x"}}, {{"input": "y", "assertions": [{NEW}]}}]}}\n'
    assert add_to_json(text, 2, AddedCheck(CHECK, 2)) == wanted


def test_a_final_check():
    added = AddedCheck(CHECK, field="final_assertions")
    assert add_to_json('{"id": "a"}', 1, added) == f'{{"id": "a", "final_assertions": [{NEW}]}}'


def test_an_empty_block_makes_room():
    assert add_to_json('{"id": "a", "assert": {}}', 1, AddedCheck(CHECK)) == f'{{"id": "a", "assert": [{NEW}]}}'


@pytest.mark.parametrize("text", ['{"id": "a", "assert": 1, "assertions": 2}', "[1]", "{}"])
def test_what_cannot_be_changed_is_refused(text: str):
    with pytest.raises(CannotInsert):
        add_to_json(text, 1, AddedCheck(CHECK))


@pytest.mark.parametrize("text", ['{"id": "a"', '{"id": "a", "turns": 3}', '{"id": "a", "turns": [3]}'])
def test_a_turn_that_is_not_there_is_refused(text: str):
    with pytest.raises(CannotInsert):
        add_to_json(text, 1, AddedCheck(CHECK, 1))


@settings(deadline=None)
@given(
    before=st.lists(VALUES, max_size=2),
    case=st.dictionaries(st.text(max_size=4).filter(lambda key: not key.startswith("assert")), VALUES, min_size=1),
    known=st.none() | st.lists(VALUES, max_size=2),
    indent=st.none() | st.integers(0, 3),
)
def test_whatever_stands_around_it_the_case_has_one_check_more(
    before: list[Any], case: dict[str, Any], known: list[Any] | None, indent: int | None
):
    head = "".join(f"{json.dumps(value)}\n" for value in before)
    whole = case if known is None else {**case, "assertions": known}
    text = f"{head}{json.dumps(whole, indent=indent)}\n"
    after = add_to_json(text, len(before) + 1, AddedCheck(CHECK))
    assert after.startswith(head)
    assert json.loads(after.removeprefix(head)) == {**case, "assertions": [*(known or []), CHECK]}
