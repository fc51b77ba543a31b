"""A case's time, counted in a real event loop."""

import asyncio
import threading
from time import monotonic

import pytest

from vivavoce.containment.time_limit import RUNNING, OutOfTime, TimeLimit


async def spend(seconds: float, budget: TimeLimit) -> None:
    with budget:
        await asyncio.sleep(seconds)


async def test_time_runs_out_in_the_middle_of_what_is_awaited() -> None:
    began = monotonic()
    with pytest.raises(OutOfTime):
        await spend(600, TimeLimit(0.05))
    assert 0.05 <= monotonic() - began < 60
    assert not RUNNING


async def test_what_is_left_carries_over_from_turn_to_turn() -> None:
    budget = TimeLimit(60)
    await spend(0.2, budget)
    with budget:
        assert budget.deadline - monotonic() <= 60 - 0.199
    spent = TimeLimit(0.05)
    with pytest.raises(OutOfTime):
        await spend(600, spent)
    with pytest.raises(OutOfTime):
        await spend(600, spent)


async def test_time_outside_is_free() -> None:
    budget = TimeLimit(60)
    began = monotonic()
    await spend(0, budget)
    spent = monotonic() - began
    await asyncio.sleep(0.2)
    entered = monotonic()
    with budget:
        assert budget.deadline - entered >= 60 - spent


async def test_a_pause_is_given_back() -> None:
    budget = TimeLimit(60)
    with budget:
        began = monotonic()
        with budget.paused():
            await asyncio.sleep(0.2)
        assert 0.2 <= budget.given_back + 0.001 <= monotonic() - began + 0.002


async def test_after_a_pause_the_time_runs_out_all_the_same() -> None:
    budget = TimeLimit(0.1)

    async def with_a_pause() -> None:
        with budget:
            with budget.paused():
                await asyncio.sleep(0.15)
            await asyncio.sleep(600)

    with pytest.raises(OutOfTime):
        await with_a_pause()


async def test_each_of_many_has_its_own_end_whatever_the_order_they_began_in() -> None:
    ended: dict[float, float] = {}

    async def until_out_of_time(seconds: float) -> None:
        began = monotonic()
        with pytest.raises(OutOfTime):
            await spend(600, TimeLimit(seconds))
        ended[seconds] = monotonic() - began

    async with asyncio.TaskGroup() as together:
        for seconds in (0.15, 0.05, 0.2, 0.1):
            together.create_task(until_out_of_time(seconds))
        together.create_task(spend(0.02, TimeLimit(60)))
    assert sorted(ended) == [0.05, 0.1, 0.15, 0.2]
    assert all(after >= seconds for seconds, after in ended.items())


async def test_one_that_begins_after_an_alarm_rang_for_nothing_is_ended_too() -> None:
    await spend(0, TimeLimit(0.05))
    await asyncio.sleep(0.1)
    with pytest.raises(OutOfTime):
        await spend(600, TimeLimit(0.05))


async def test_time_given_back_moves_the_end() -> None:
    budget = TimeLimit(0.1)
    with budget:
        (running,) = RUNNING
        assert running is budget
        budget.give_back(60)
        await asyncio.sleep(0.2)
    spent = TimeLimit(0.05)
    with spent:
        spent.give_back(0.05)
    with pytest.raises(OutOfTime):
        await spend(600, spent)


@pytest.mark.parametrize("instead", ["returns", "raises"])
async def test_who_does_not_let_itself_be_cancelled_is_late_all_the_same(instead: str) -> None:
    async def stubborn() -> str:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            if instead == "raises":
                raise ValueError("disturbed") from None
        return "partial"

    with pytest.raises(OutOfTime), TimeLimit(0.05):
        await stubborn()
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_a_cancellation_from_outside_is_no_timeout() -> None:
    task = asyncio.create_task(spend(5, TimeLimit(5)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancellation_from_outside_beats_the_timeout() -> None:
    async def slow_to_stop() -> None:
        with TimeLimit(0.02):
            try:
                await asyncio.sleep(600)
            finally:
                task.cancel()

    task = asyncio.create_task(slow_to_stop())
    with pytest.raises(asyncio.CancelledError):
        await task


def test_loops_in_several_threads_and_one_after_the_other_each_keep_time() -> None:
    seen: list[bool] = []

    def in_a_loop() -> None:
        for _ in range(2):
            try:
                asyncio.run(spend(600, TimeLimit(0.05)))
            except OutOfTime:
                seen.append(True)

    threads = [threading.Thread(target=in_a_loop) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert seen == [True] * 6
