"""Checks put into case files whose comments and layout stay as they are."""

import pytest

from vivavoce.sources.editing.added_check import AddedCheck, CannotInsert
from vivavoce.sources.editing.json_insertion import add_to_json
from vivavoce.sources.editing.yaml_insertion import add_to_yaml

CHECK = {"type": "contains", "value": "a"}
NEW = '{"type":"contains","value":"a"}'


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{"id": "a", "input": "x"}\n', f'{{"id": "a", "input": "x", "assertions": [{NEW}]}}\n'),
        ('{"id": "a", "assert": []} // why\n', f'{{"id": "a", "assert": [{NEW}]}} // why\n'),
        (
            '{"id": "a", "assert": {"type": "x"}}',
            f'{{"id": "a", "assert": {{"type": "x"}}, "assertions": [{NEW}]}}',
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


@pytest.mark.parametrize(
    ("text", "turn", "after"),
    [
        (
            "turns:\n  - user: x # said\n  - user: y\n\n# the end\n",
            1,
            f"turns:\n  - user: x # said\n    assertions:\n      - {NEW}\n  - user: y\n\n# the end\n",
        ),
        (
            "turns:\n  - user: x\n    assert:\n      text: { must_match: a }\n\nmax_turns: 3\n",
            1,
            "turns:\n  - user: x\n    assert:\n      text: { must_match: a }\n"
            f"    assertions:\n      - {NEW}\n\nmax_turns: 3\n",
        ),
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


@pytest.mark.parametrize("text", ['{"id": "a", "assert": {}, "assertions": {}}', "[1]", "{}"])
def test_what_cannot_be_changed_is_refused(text: str):
    with pytest.raises(CannotInsert):
        add_to_json(text, 1, AddedCheck(CHECK))
