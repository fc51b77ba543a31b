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


async def test_a_job_that_blocks_holds_up_none_of_those_behind_it():
    release = threading.Event()
    stuck = [asyncio.create_task(in_daemon_thread(lambda: release.wait(60))) for _ in range(3)]
    assert await asyncio.gather(*(in_daemon_thread(lambda: "quick") for _ in range(50))) == ["quick"] * 50
    assert not any(task.done() for task in stuck)
    release.set()
    assert await asyncio.gather(*stuck) == [True] * 3


async def test_what_is_cancelled_before_a_thread_takes_it_is_never_done():
    done: list[str] = []
    task = asyncio.create_task(in_daemon_thread(lambda: done.append("unwanted")))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await in_daemon_thread(lambda: done.append("wanted"))
    assert done == ["wanted"]


async def test_what_a_job_raises_is_raised_where_it_is_awaited():
    def leave() -> None:
        raise SystemExit(4)

    def stop() -> None:
        raise StopIteration("value")

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit):
        await in_daemon_thread(leave)
    with pytest.raises(RuntimeError, match="StopIteration: value"):
        await in_daemon_thread(stop)
    with pytest.raises(RuntimeError, match="KeyboardInterrupt was raised"):
        await in_daemon_thread(interrupt)


def test_two_event_loops_in_two_threads_get_their_own_results():
    async def many(of: str) -> list[str]:
        return await asyncio.gather(*(in_daemon_thread(lambda: of) for _ in range(100)))

    found: dict[str, list[str]] = {}

    def run(of: str) -> None:
        found[of] = asyncio.run(many(of))

    threads = [threading.Thread(target=run, args=(of,)) for of in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == {"a": ["a"] * 100, "b": ["b"] * 100}


async def test_when_no_thread_can_be_started_later_jobs_still_run(monkeypatch: pytest.MonkeyPatch):
    release = threading.Event()
    busy = [asyncio.create_task(in_daemon_thread(lambda: release.wait(60))) for _ in range(40)]
    await asyncio.sleep(0)

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            await asyncio.gather(*(in_daemon_thread(lambda: None) for _ in range(60)))
    release.set()
    await asyncio.gather(*busy)
    assert await in_daemon_thread(lambda: "done") == "done"
