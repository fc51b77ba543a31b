import asyncio

import pytest

from vivavoce.results.debounce import Debounce


async def test_many_wishes_within_a_moment_are_one_act():
    acts: list[int] = []
    soon = Debounce(lambda: acts.append(1), 0.02)
    for _ in range(10):
        soon.ask()
    assert acts == []
    await asyncio.sleep(0.1)
    soon.ask()
    await asyncio.sleep(0.1)
    assert acts == [1, 1]


async def test_what_is_forgotten_is_not_done():
    acts: list[int] = []
    soon = Debounce(lambda: acts.append(1), 0.02)
    soon.ask()
    soon.forget()
    await asyncio.sleep(0.06)
    assert acts == []


def test_where_no_loop_runs_it_is_done_at_once():
    acts: list[int] = []
    Debounce(lambda: acts.append(1), 60).ask()
    assert acts == [1]


async def test_whoever_asks_next_hears_of_a_failure():
    def fail() -> None:
        raise BrokenPipeError("nobody reads")

    soon = Debounce(fail, 0.01)
    soon.ask()
    await asyncio.sleep(0.05)
    with pytest.raises(BrokenPipeError):
        soon.ask()
