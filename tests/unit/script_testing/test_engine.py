"""A test's way back to the run: calls cross from its thread to the event loop, until it is over."""

import asyncio
import threading

import pytest
from tests.fakes.script_tests import terms

from vivavoce.errors import CallFailed
from vivavoce.script_testing.engine import Engine, current_engine, use_engine, waited_for


async def where() -> int:
    return threading.get_ident()


async def forever(begun: asyncio.Event) -> None:
    begun.set()
    await asyncio.sleep(3600)


async def test_work_of_a_thread_runs_in_the_loop_and_the_thread_waits_for_it():
    engine = Engine(terms())

    def test() -> tuple[object, int]:
        use_engine(engine)
        return waited_for(current_engine().start(where())), threading.get_ident()

    ran_in, asked_in = await asyncio.to_thread(test)
    assert ran_in == threading.get_ident() != asked_in


async def test_an_async_test_gets_something_to_await():
    engine = Engine(terms())

    async def test() -> object:
        return await waited_for(engine.start(where()))  # type: ignore[misc]

    assert await asyncio.to_thread(asyncio.run, test()) == threading.get_ident()


async def test_the_end_of_the_test_ends_what_is_under_way():
    engine, begun = Engine(terms()), asyncio.Event()
    started = engine.start(forever(begun))
    await begun.wait()
    engine.close()
    assert started.cancelled()


async def test_after_the_end_nothing_more_can_be_called():
    engine = Engine(terms())
    engine.close()
    with pytest.raises(CallFailed, match="the test is over: nothing more can be called"):
        engine.start(where())


def test_outside_of_a_script_test_it_is_told_how_to_run_one():
    with pytest.raises(CallFailed, match=r"only be called while a script test runs \(viva test -i scripts\."):
        current_engine()
