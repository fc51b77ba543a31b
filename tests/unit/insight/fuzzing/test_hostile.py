"""Hostile operators."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.insight.fuzzing.hostile import HOSTILE, LONG

BY_NAME = {operator.name: operator for operator in HOSTILE}


@pytest.mark.parametrize("name", BY_NAME)
@given(text=st.text(min_size=1), seed=st.integers())
def test_any_text_can_be_changed_and_a_seed_decides_how(name, text, seed):
    operator = BY_NAME[name]
    assert operator.change(text, Random(seed)) == operator.change(text, Random(seed))
    assert operator.about
    assert "${" not in operator.change("pay", Random(seed)), "a case file would take it for a variable"


def test_an_endless_line_and_an_empty_one():
    assert len(BY_NAME["endless"].change("pay", Random(0))) == LONG
    assert all(len(BY_NAME["nothing"].change("pay", Random(seed))) == 1 for seed in range(20))


def test_numbers_are_replaced_where_there_are_any():
    changed = BY_NAME["huge-numbers"].change("pay 5 euros", Random(0))
    assert changed.startswith("pay ")
    assert changed.endswith(" euros")
    assert " 5 " not in changed
