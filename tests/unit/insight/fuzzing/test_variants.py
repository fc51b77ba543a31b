"""Cases times operators: which variants there are."""

import pytest

from vivavoce.errors import UsageError
from vivavoce.insight.fuzzing.variants import (
    OPERATORS,
    lines_of,
    operators_named,
    paraphrases_operator,
    variants_of,
)
from vivavoce.model.case import Case, ScriptedTurn

CASES = [
    Case(id="T1", turns=(ScriptedTurn(content="Please refund my order."),)),
    Case(id="T2", turns=(ScriptedTurn(content="What is a mug?"), ScriptedTurn(content="And two of them?"))),
]


def made(seed: int = 0, most: int = 100, names: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    found = variants_of(CASES, operators_named(names), seed, most)
    return [(one.case.id, str(one.case.turns[one.turn].content)) for one in found]


def test_the_same_seed_gives_the_same_variants_and_another_seed_others():
    assert made() == made()
    assert made(1) != made()
    assert made(most=20) == made()[:20]


def test_variants_differ_from_their_case_and_from_each_other():
    variants = list(variants_of(CASES, OPERATORS, 0, 150))
    assert len(variants) == 150
    assert len({one.case.id for one in variants}) == 150
    for one in variants:
        assert one.case.turns[one.turn].content != one.original.turns[one.turn].content


def test_the_first_variants_are_spread_over_cases_and_operators():
    variants = list(variants_of(CASES, OPERATORS, 0, 40))
    assert len({one.operator.name for one in variants}) >= 18
    assert {one.original.id for one in variants} == {"T1", "T2"}


def test_an_operator_that_has_nothing_left_to_change_ends():
    assert 0 < len(made(names=("case",), most=1000)) < 20
    assert made(names=("order",)) == []


def test_operators_by_name_and_by_kind():
    assert [one.name for one in operators_named(["typos,emoji"])] == ["typos", "emoji"]
    assert {one.kind for one in operators_named(["hostile"])} == {"hostile"}
    with pytest.raises(UsageError, match="did you mean 'typos'"):
        operators_named(["typo"])


def test_lines_with_variables_or_parts_are_left_alone():
    turns = (ScriptedTurn(content="order ${ID}"), ScriptedTurn(content=[{"type": "text", "text": "x"}]))
    assert lines_of(Case(id="T", turns=turns)) == {}


def test_paraphrases_are_taken_from_what_an_agent_said():
    operator = paraphrases_operator({"What is a mug?": ["Tell me about mugs."]})
    (one,) = variants_of(CASES, [operator], 0, 10)
    assert one.case.turns[0].content == "Tell me about mugs."
