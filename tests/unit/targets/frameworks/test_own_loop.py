"""Coroutines in a loop of their own: blocking holds up nobody else, and a stuck thread is replaced."""

import asyncio
import threading

import pytest

from vivavoce.targets.frameworks.own_loop import OwnLoop


async def test_what_it_returns_or_raises_comes_back():
    async def answer() -> str:
        return threading.current_thread().name

    async def fail() -> None:
        raise ValueError("no")

    loop = OwnLoop()
    assert await loop.run(answer()) == "viva-own-loop"
    with pytest.raises(ValueError, match="no"):
        await loop.run(fail())


async def test_all_run_in_the_same_loop_and_at_once():
    loop, gate = OwnLoop(), asyncio.Event()

    async def first() -> int:
        await gate.wait()
        return id(asyncio.get_running_loop())

    async def second() -> int:
        gate.set()
        return id(asyncio.get_running_loop())

    assert len(set(await asyncio.gather(loop.run(first()), loop.run(second())))) == 1


async def test_one_that_blocks_leaves_this_loop_free_and_is_left_behind():
    loop, blocked, released = OwnLoop(), threading.Event(), threading.Event()

    async def block() -> None:
        blocked.set()
        released.wait(60)

    async def answer() -> str:
        return "alive"

    stuck = asyncio.ensure_future(loop.run(block()))
    while not blocked.is_set():
        await asyncio.sleep(0.001)
    stuck.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stuck
    assert await asyncio.wait_for(loop.run(answer()), 60) == "alive"
    released.set()


async def test_a_cancelled_run_is_cancelled_there_too():
    loop, began, ended = OwnLoop(), threading.Event(), threading.Event()

    async def wait() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    running = asyncio.ensure_future(loop.run(wait()))
    while not began.is_set():
        await asyncio.sleep(0.001)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await asyncio.to_thread(ended.wait, 60)
