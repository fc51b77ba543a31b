"""Blocking work in threads that can be left behind."""

import asyncio
import contextvars
import subprocess
import sys
import threading
import time

import pytest

from vivavoce.containment.daemon_threads import in_daemon_thread


async def test_blocking_functions_run_at_once_and_threads_are_used_again():
    barrier = threading.Barrier(4, timeout=60)
    await asyncio.gather(*(in_daemon_thread(barrier.wait) for _ in range(4)))
    before = threading.active_count()
    for _ in range(20):
        await in_daemon_thread(time.time)
    assert threading.active_count() == before


async def test_context_variables_reach_the_thread():
    variable = contextvars.ContextVar("x", default="default")
    variable.set("mine")
    assert await in_daemon_thread(lambda: variable.get()) == "mine"


async def test_cancelling_returns_at_once_though_the_function_does_not():
    release = threading.Event()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await in_daemon_thread(lambda: release.wait(30))
    release.set()


def test_a_function_that_never_returns_cannot_keep_the_process_alive():
    code = (
        "import asyncio, time\n"
        "from vivavoce.containment.daemon_threads import in_daemon_thread\n"
        "async def main():\n"
        "    try:\n"
        "        async with asyncio.timeout(0.1): await in_daemon_thread(lambda: time.sleep(600))\n"
        "    except TimeoutError: print('left')\n"
        "asyncio.run(main())\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=True)
    assert ended.stdout == "left\n"


async def test_a_finished_thread_does_not_mind_a_closed_loop():
    release = threading.Event()
    seen: list[threading.ExceptHookArgs] = []
    hook, threading.excepthook = threading.excepthook, seen.append
    try:
        await asyncio.to_thread(_abandon, release)
        release.set()
        await in_daemon_thread(lambda: time.sleep(0.05))
    finally:
        threading.excepthook = hook
    assert seen == []


def _abandon(release: threading.Event) -> None:
    async def main() -> None:
        async with asyncio.timeout(0.05):
            await in_daemon_thread(release.wait)

    with pytest.raises(TimeoutError):
        asyncio.run(main())


async def test_an_endless_loop_really_ends_when_it_is_abandoned():
    entered: list[threading.Thread] = []

    def endless() -> None:
        entered.append(threading.current_thread())
        while True:
            try:
                sum(range(10))
            except Exception:  # noqa: BLE001 - as careless users write it
                continue

    task = asyncio.create_task(in_daemon_thread(endless))
    while not entered:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(entered[0].join, 20)
    assert not entered[0].is_alive()


async def test_abandoning_one_job_never_hits_the_next():
    for _ in range(200):
        task = asyncio.create_task(in_daemon_thread(lambda: None))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await in_daemon_thread(lambda: sum(range(1000))) == 499500
