"""How fast something is called: at once, per second, and after a refusal."""

import asyncio

import pytest

from vivavoce.containment.time_limit import TimeLimit
from vivavoce.errors import UsageError
from vivavoce.metering.expenses import Expenses
from vivavoce.metering.pacing import Pace, parse_rate


async def calls_through(pace: Pace, count: int, lasting_s: float = 0.02) -> tuple[int, list[float]]:
    """(most at once, when each was let in), for calls that all come together."""
    clock = asyncio.get_running_loop().time
    began = clock()
    running = most = 0
    starts: list[float] = []

    async def call() -> None:
        nonlocal running, most
        await pace.enter()
        starts.append(clock() - began)
        running += 1
        most = max(most, running)
        await asyncio.sleep(lasting_s)
        running -= 1
        pace.leave()

    await asyncio.gather(*(call() for _ in range(count)))
    return most, starts


@pytest.mark.parametrize(("text", "seconds"), [("10/s", 0.1), ("600/m", 0.1), ("1800/h", 2.0), (" 0.5 / s ", 2.0)])
def test_a_rate_says_how_far_apart_calls_are(text, seconds):
    assert parse_rate(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "10", "10/x", "0/s", "-1/s", "ten/s", "10/s/s"])
def test_a_rate_that_means_nothing_is_refused_with_an_example(text):
    with pytest.raises(UsageError, match="10/s"):
        parse_rate(text, "viva.yaml")


async def test_without_limits_all_are_let_in_at_once():
    assert (await calls_through(Pace(), 50))[0] == 50


async def test_no_more_than_allowed_are_let_in_at_once_and_all_get_their_turn():
    most, starts = await calls_through(Pace(3), 10)
    assert (most, len(starts)) == (3, 10)


async def test_calls_start_no_closer_than_the_rate_allows():
    _, starts = await calls_through(Pace(interval_s=0.03), 5, lasting_s=0)
    assert all(start >= 0.03 * number - 0.001 for number, start in enumerate(starts))


async def test_a_refusal_halves_what_is_let_in_until_calls_go_well_again():
    pace = Pace()
    for _ in range(8):
        await pace.enter()
    pace.turned_away(asyncio.get_running_loop().time(), None)
    for _ in range(8):
        pace.leave()
    assert (await calls_through(pace, 20))[0] == 4
    for _ in range(60):
        pace.went_well()
    assert (await calls_through(pace, 20))[0] == 20


async def test_calls_refused_together_slow_down_only_once():
    pace = Pace()
    began = asyncio.get_running_loop().time()
    for _ in range(16):
        await pace.enter()
    for _ in range(16):
        pace.turned_away(began, None)
        pace.leave()
    assert (await calls_through(pace, 30))[0] == 8


async def test_a_server_that_names_a_time_is_left_alone_until_then_by_everyone():
    pace = Pace()
    await pace.enter()
    pace.turned_away(asyncio.get_running_loop().time(), 0.08)
    pace.leave()
    assert min((await calls_through(pace, 3))[1]) >= 0.078


async def test_who_is_cancelled_while_waiting_takes_nobodys_place():
    pace = Pace(1)
    await pace.enter()
    waiting = [asyncio.ensure_future(pace.enter()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    pace.leave()
    # Its turn has come, but it is cancelled before it could take it.
    waiting[1].cancel()
    await asyncio.sleep(0)
    await asyncio.wait_for(waiting[2], 60)
    pace.leave()
    assert (await calls_through(pace, 3))[0] == 1


async def test_who_is_cancelled_while_waiting_for_the_time_leaves_its_place():
    pace = Pace(1, interval_s=30)
    await pace.enter()
    pace.leave()
    late = asyncio.ensure_future(pace.enter())
    await asyncio.sleep(0.01)
    late.cancel()
    await asyncio.gather(late, return_exceptions=True)
    pace._interval_s = 0.0
    assert (await calls_through(pace, 2))[0] == 1


async def test_waiting_for_ones_turn_is_no_time_of_the_agent():
    pace = Pace(1)
    await pace.enter()
    asyncio.get_running_loop().call_later(0.05, pace.leave)
    budget = TimeLimit(60)
    with Expenses() as expenses:
        expenses.paused = budget.paused
        with budget:
            await pace.enter()
    assert budget.given_back > 0
