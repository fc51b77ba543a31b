"""The smallest part of a list that fails, and how often one has to ask for it."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.insight.shrinking.ddmin import ddmin, window


class Agent:
    """Fails when it is told all of the cause; counts the questions."""

    def __init__(self, *cause: int) -> None:
        self.cause = set(cause)
        self.asked = 0
        self.said = 0

    async def __call__(self, items: list[int]) -> bool:
        assert items == sorted(items)
        self.asked += 1
        self.said += len(items)
        return self.cause <= set(items)


async def test_three_of_thirty_are_found_with_few_questions():
    for cause in [(0, 14, 29), (0, 1, 2), (27, 28, 29), (4, 17, 25)]:
        agent = Agent(*cause)
        assert await ddmin(range(30), agent) == list(cause)
        assert agent.asked <= 25


async def test_three_of_thirty_take_few_calls_wherever_they_are():
    """At most 370 items in all, so that a conversation of thirty turns needs at most 400 calls of its agent."""
    for cause in combinations(range(30), 3):
        agent = Agent(*cause)
        assert await ddmin(range(30), agent) == list(cause)
        assert (agent.asked <= 25, agent.said <= 370) == (True, True), (cause, agent.asked, agent.said)


@given(st.sets(st.integers(0, 39), min_size=1))
async def test_a_cause_is_found_whatever_it_is(cause):
    assert await ddmin(range(40), Agent(*cause)) == sorted(cause)


@given(st.sets(st.frozensets(st.integers(0, 7), min_size=1), min_size=1))
async def test_the_answer_fails_and_nothing_of_it_can_be_left_out(failing):
    """Also where more items make the failure go away."""
    everything = frozenset(range(8))

    async def fails(items: list[int]) -> bool:
        return frozenset(items) in failing | {everything}

    found = await ddmin(range(8), fails)
    assert await fails(found)
    assert not any([await fails([one for one in found if one != left_out]) for left_out in found if len(found) > 1])


async def test_a_window_is_cut_at_both_ends():
    assert await window(range(1000), Agent(400, 410)) == list(range(400, 411))
