"""Operators that keep the meaning."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.insight.fuzzing.preserving import PRESERVING, order

LINE = "Please refund my order A-17. The shoes are too small!"
BY_NAME = {operator.name: operator for operator in PRESERVING}


def made(name: str, text: str = LINE, seeds: int = 20) -> set[str]:
    return {BY_NAME[name].change(text, Random(seed)) for seed in range(seeds)}


@pytest.mark.parametrize("name", BY_NAME)
def test_the_same_seed_gives_the_same_line_and_most_seeds_another_one(name):
    operator = BY_NAME[name]
    assert operator.change(LINE, Random(1)) == operator.change(LINE, Random(1))
    assert made(name) - {LINE}
    assert operator.about


@pytest.mark.parametrize("name", BY_NAME)
@given(text=st.text(min_size=1), seed=st.integers())
def test_any_text_can_be_changed(name, text, seed):
    BY_NAME[name].change(text, Random(seed))


@pytest.mark.parametrize("name", ["typos", "look-alikes"])
def test_numbers_and_ids_stay_as_they_are(name):
    assert all("A-17" in line for line in made(name))


@pytest.mark.parametrize("name", ["spaces", "line-breaks", "case"])
def test_no_word_is_lost(name):
    assert all(line.lower().split() == LINE.lower().split() for line in made(name))


@pytest.mark.parametrize("name", ["polite", "emoji", "repeated"])
def test_what_was_said_is_still_in_it(name):
    assert all("refund" in line and "small!" in line for line in made(name))


def test_only_independent_sentences_change_places():
    assert {order("One thing. Two things.", Random(seed)) for seed in range(9)} == {
        "One thing. Two things.",
        "Two things. One thing.",
    }
    assert order("I bought shoes. They are small.", Random(0)) == "I bought shoes. They are small."
