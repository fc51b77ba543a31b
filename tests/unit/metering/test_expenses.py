"""What an attempt pays and waits for beside its agent."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from vivavoce.metering.clock import now_ms
from vivavoce.metering.expenses import (
    Expenses,
    counted_as_setup,
    current_expenses,
    off_the_clock,
    setup_seconds,
    wait_as_asked,
)
from vivavoce.model.message import Usage


def test_the_account_is_found_inside_and_nowhere_else():
    assert current_expenses() is None
    with Expenses() as outer:
        with Expenses() as inner:
            assert current_expenses() is inner
        assert current_expenses() is outer
    assert current_expenses() is None


async def test_every_task_has_the_account_of_its_own_attempt():
    async def attempt(tokens: int) -> Usage | None:
        with Expenses() as account:
            await asyncio.sleep(0)
            found = current_expenses()
            assert found is account
            found.pay(Usage(tokens, 0))
            return account.usage

    assert await asyncio.gather(attempt(1), attempt(2)) == [Usage(1, 0), Usage(2, 0)]


def test_payments_add_up_and_nothing_is_no_payment():
    account = Expenses()
    account.pay(None)
    assert account.usage is None
    account.pay(Usage(1, 2, 0.5))
    account.pay(Usage(3, 4, 0.25))
    assert account.usage == Usage(4, 6, 0.75)


async def test_a_wait_is_noted_with_its_place_and_lessens_the_patience():
    with Expenses() as account:
        account.place, account.patience_s = "turn 2", 0.01
        assert await wait_as_asked(0.004, "HTTP 429 from gpt")
        assert account.notes == ["turn 2: HTTP 429 from gpt, waited 4ms"]
        assert not await wait_as_asked(0.008, "HTTP 429 from gpt")
        assert len(account.notes) == 1


async def test_a_wait_longer_than_anybody_may_wait_is_refused_without_an_account_too():
    assert not await wait_as_asked(3600, "HTTP 429")
    assert await wait_as_asked(0, "HTTP 429")


async def test_waiting_stops_the_clock_of_the_case():
    seen: list[str] = []

    @contextmanager
    def paused() -> Generator[None]:
        seen.append("stopped")
        yield
        seen.append("goes on")

    with off_the_clock():
        assert seen == []
    with Expenses() as account:
        account.paused = paused
        await wait_as_asked(0, "HTTP 503")
    assert seen == ["stopped", "goes on"]


def let_time_pass() -> None:
    began = now_ms()
    while now_ms() == began:
        pass


def test_starting_something_is_counted_apart():
    with Expenses() as expenses:
        with counted_as_setup():
            let_time_pass()
        assert expenses.setup_s == setup_seconds() > 0
    assert setup_seconds() == 0
