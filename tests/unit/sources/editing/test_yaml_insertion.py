"""Checks put into YAML case files whose comments and layout stay as they are."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from vivavoce.sources.editing.added_check import AddedCheck, CannotInsert
from vivavoce.sources.editing.yaml_insertion import add_to_yaml

CHECK = {"type": "contains", "value": "a"}
NEW = '{"type":"contains","value":"a"}'
TURNS = st.lists(
    st.fixed_dictionaries(
        {"user": st.text("abc :#-\n'\"", min_size=1, max_size=8)},
        optional={
            "assertions": st.lists(st.just({"type": "is_json"}), min_size=1, max_size=2),
            "assert": st.just({"text": {"must_match": "x"}}),
        },
    ),
    min_size=1,
    max_size=3,
)


@pytest.mark.parametrize(
    ("text", "turn", "after"),
    [
        (
            "turns:\n  - user: 😀 ü\n    mutants: { allow: a(b)?$ } # ✓\n  - { user: y }\n",
            1,
            "turns:\n  - user: 😀 ü\n    mutants: { allow: a(b)?$ } # ✓\n"
            f"    assertions:\n      - {NEW}\n  - {{ user: y }}\n",
        ),
        (
            "turns:\n  - user: x # said\n  - user: y\n\n# the end\n",
            1,
            f"turns:\n  - user: x # said\n    assertions:\n      - {NEW}\n  - user: y\n\n# the end\n",
        ),
        (
            "turns:\n  - user: x\n    assert:\n      text: { must_match: a }\n\nmax_turns: 3\n",
            1,
            f"turns:\n  - user: x\n    assert:\n      - text: {{ must_match: a }}\n      - {NEW}\n\nmax_turns: 3\n",
        ),
        (
            "turns:\n- user: x\n  assert:\n    # calm\n    type: contains\n    value: |\n      a\n\n      b\n"
            "    negate: true # no\n- user: y",
            1,
            "turns:\n- user: x\n  assert:\n    # calm\n    - type: contains\n      value: |\n        a\n\n        b\n"
            f"      negate: true # no\n    - {NEW}\n- user: y",
        ),
        (
            "turns: [{ user: x, assert: { type: is_json } }]",
            1,
            f"turns: [{{ user: x, assert: [{{ type: is_json }}, {NEW}] }}]",
        ),
        ("input: x\nassert: {}\n", None, f"input: x\nassert: [{NEW}]\n"),
        ("input: x\nassert:\n  type: is_json", None, f"input: x\nassert:\n  - type: is_json\n  - {NEW}\n"),
        ("turns: [{ user: x }]", 1, f"turns: [{{ user: x, assertions: [{NEW}] }}]"),
        (
            "input: x\nassert:\n- type: is_json\n- type: contains\n  value: |\n    b\n\n---\ninput: y\n",
            None,
            f"input: x\nassert:\n- type: is_json\n- type: contains\n  value: |\n    b\n- {NEW}\n\n---\ninput: y\n",
        ),
        ("input: x", None, f"input: x\nassertions:\n  - {NEW}\n"),
    ],
)
def test_a_check_of_a_yaml_case(text: str, turn: int | None, after: str):
    assert add_to_yaml(text, 1, AddedCheck(CHECK, turn)) == after


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("a: [", None),
        ("- a", None),
        ("", None),
        ("turns: 3", 1),
        ("turns: [x]", 1),
        ("turns: [{user: x}]", 2),
        ("assert: 1\nassertions: 2\n", None),
    ],
)
def test_what_cannot_be_changed_is_refused(text: str, turn: int | None):
    with pytest.raises(CannotInsert):
        add_to_yaml(text, 1, AddedCheck(CHECK, turn))


def copied(value: Any) -> Any:
    """The same with no object in it twice, which YAML would write once."""
    return json.loads(json.dumps(value))


@settings(deadline=None)
@given(turns=TURNS, flow=st.sampled_from([None, True, False]), more=st.booleans(), data=st.data())
def test_however_it_is_laid_out_the_turn_has_one_check_more(
    turns: list[dict[str, Any]], flow: bool | None, more: bool, data: st.DataObject
):
    case = {"turns": turns, **({"max_turns": 3} if more else {})}
    text = yaml.safe_dump(copied(case), default_flow_style=flow, sort_keys=False, width=40)
    number = data.draw(st.integers(1, len(turns)))
    after = add_to_yaml(text, 1, AddedCheck(CHECK, number))
    wanted = [{**turn} for turn in turns]
    turn = wanted[number - 1]
    if "assert" in turn and "assertions" not in turn:
        turn["assert"] = [turn["assert"], CHECK]
    else:
        turn["assertions"] = [*turn.get("assertions", []), CHECK]
    assert yaml.safe_load(after) == {**case, "turns": wanted}
